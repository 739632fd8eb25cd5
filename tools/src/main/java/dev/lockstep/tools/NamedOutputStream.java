package dev.lockstep.tools;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A file that is written; when that fails, the message says which file it was. */
final class NamedOutputStream extends FilterOutputStream {
  private final String name;

  NamedOutputStream(OutputStream out, String name) {
    super(out);
    this.name = name;
  }

  @Override
  public void write(int b) {
    try {
      out.write(b);
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  @Override
  public void write(byte[] bytes, int begin, int length) {
    try {
      out.write(bytes, begin, length);
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  @Override
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  static EnvironmentException failed(String name, IOException e) {
    return new EnvironmentException("cannot write " + name + ": " + IoMessages.reason(e));
  }
}
