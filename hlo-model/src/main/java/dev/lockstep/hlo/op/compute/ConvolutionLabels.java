package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.op.AttrKey;
import org.jspecify.annotations.Nullable;

/**
 * Which dimension of a convolution's operands and result plays which part: batch, feature and
 * spatial for input and output, output feature, input feature and spatial for the kernel, in this
 * order.
 *
 * @param input dimensions of the input: batch, feature, then spatial ones by number
 * @param kernel dimensions of the kernel: output feature, input feature, then spatial ones
 * @param output dimensions of the result: batch, feature, then spatial ones
 */
record ConvolutionLabels(
    ImmutableLongArray input, ImmutableLongArray kernel, ImmutableLongArray output) {
  /** MLIR's {@code #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}, HLO's {@code b0f_0io->b0f}. */
  static final AttrKey<ConvolutionLabels> KEY =
      AttrKey.of("dimension_numbers", "dim_labels", ConvolutionLabels::decode, "dim_labels");

  private static @Nullable ConvolutionLabels decode(Attribute attribute) {
    if (!(attribute instanceof Attribute.Raw)) {
      return null;
    }
    String text = ((Attribute.Raw) attribute).text();
    int open = text.indexOf('<');
    int arrow = text.indexOf("->");
    int middle = text.indexOf(open >= 0 ? 'x' : '_', Math.max(open, 0));
    if (arrow < 0 || middle < 0 || middle > arrow) {
      return null;
    }
    String input = text.substring(open + 1, middle);
    String kernel = text.substring(middle + 1, arrow);
    String output = text.substring(arrow + 2);
    return new ConvolutionLabels(
        order(input, 'b', 'f'), order(kernel, 'o', 'i'), order(output, 'b', 'f'));
  }

  /** Returns the places of the two letters, then those of 0, 1 and so on. */
  private static ImmutableLongArray order(String labels, char first, char second) {
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < labels.length(); i++) {
      char c = labels.charAt(i);
      if (c == first || c == second || c == '?' || c >= '0' && c <= '9') {
        kept.append(c);
      }
    }
    String text = kept.toString();
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    out.add(text.indexOf(first));
    out.add(text.indexOf(second));
    for (int spatial = 0; spatial < text.length() - 2; spatial++) {
      out.add(text.indexOf('0' + spatial));
    }
    return out.build();
  }
}
