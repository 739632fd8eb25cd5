package dev.lockstep.hlo.type;

import com.google.common.primitives.ImmutableIntArray;

/**
 * An HLO layout: {@code {1,0:T(8,128)(2,1)S(5)}}.
 *
 * @param minorToMajor dimensions from the fastest varying to the slowest
 * @param extras what stands after the colon, as XLA prints it: tiles, memory space, element bits;
 *     empty when there is no colon
 */
public record Layout(ImmutableIntArray minorToMajor, String extras) {
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("{");
    for (int i = 0; i < minorToMajor.length(); i++) {
      out.append(i == 0 ? "" : ",").append(minorToMajor.get(i));
    }
    if (!extras.isEmpty()) {
      out.append(':').append(extras);
    }
    return out.append('}').toString();
  }
}
