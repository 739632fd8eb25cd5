package dev.lockstep.golden.gloo;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes straight-line programs of torch.distributed calls in either syntax: parameters, calls,
 * results.
 */
final class CallText {

  /** A value of the program: what it is called, and its type. */
  record Name(String text, TensorType type) {}

  private record Call(
      String target, List<Name> operands, String config, List<Name> results, String label) {}

  private final List<Name> parameters = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<Name> results = new ArrayList<>();
  private final boolean hlo;

  CallText(boolean hlo) {
    this.hlo = hlo;
  }

  /** Adds a parameter. */
  Name parameter(TensorType type) {
    Name name = new Name("arg" + parameters.size(), type);
    parameters.add(name);
    return name;
  }

  /** Adds a call; {@code config} is what stands between the braces. */
  ImmutableList<Name> call(
      String target, List<Name> operands, String config, List<TensorType> types) {
    String label = "call" + calls.size();
    ImmutableList.Builder<Name> names = ImmutableList.builder();
    for (int i = 0; i < types.size(); i++) {
      String text = label;
      if (types.size() > 1) {
        text = hlo ? label + "." + i : label + "#" + i;
      }
      names.add(new Name(text, types.get(i)));
    }
    Call call = new Call(target, List.copyOf(operands), config, names.build(), label);
    calls.add(call);
    return names.build();
  }

  /** Adds a result. */
  void give(Name name) {
    results.add(name);
  }

  /** Returns the types of the parameters. */
  List<TensorType> parameterTypes() {
    return parameters.stream().map(Name::type).toList();
  }

  /** Returns the program. */
  String text() {
    return hlo ? hloText() : mlirText();
  }

  private String mlirText() {
    StringBuilder out = new StringBuilder("func.func @main(");
    out.append(
        parameters.stream()
            .map(p -> "%" + p.text() + ": " + p.type())
            .collect(Collectors.joining(", ")));
    out.append(") -> (").append(types(results)).append(") {\n");
    for (Call call : calls) {
      out.append("  ");
      if (!call.results().isEmpty()) {
        out.append('%').append(call.label());
        out.append(call.results().size() > 1 ? ":" + call.results().size() : "").append(" = ");
      }
      out.append("stablehlo.custom_call @").append(call.target()).append('(');
      out.append(names(call.operands()));
      out.append(") {api_version = 4 : i32, backend_config = {").append(call.config());
      out.append("}, has_side_effect = true} : (").append(types(call.operands())).append(") -> ");
      out.append(
          call.results().size() == 1 ? types(call.results()) : "(" + types(call.results()) + ")");
      out.append('\n');
    }
    out.append("  return ").append(names(results)).append(" : ").append(types(results));
    return out.append("\n}\n").toString();
  }

  private static String names(List<Name> names) {
    return names.stream().map(n -> "%" + n.text()).collect(Collectors.joining(", "));
  }

  private static String types(List<Name> names) {
    return names.stream().map(n -> n.type().toString()).collect(Collectors.joining(", "));
  }

  private String hloText() {
    StringBuilder out = new StringBuilder("HloModule calls\n\nENTRY main {\n");
    for (int i = 0; i < parameters.size(); i++) {
      Name p = parameters.get(i);
      out.append(String.format("  %s = %s parameter(%d)\n", p.text(), shape(p), i));
    }
    for (Call call : calls) {
      List<Name> given = call.results();
      String type =
          given.size() == 1
              ? shape(given.get(0))
              : given.stream().map(CallText::shape).collect(Collectors.joining(", ", "(", ")"));
      out.append(
          String.format(
              "  %s = %s custom-call(%s), custom_call_target=\"%s\","
                  + " custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI,"
                  + " backend_config={%s}\n",
              call.label(),
              type,
              call.operands().stream().map(Name::text).collect(Collectors.joining(", ")),
              call.target(),
              call.config()));
      for (int i = 0; given.size() > 1 && i < given.size(); i++) {
        out.append(
            String.format(
                "  %s = %s get-tuple-element(%s), index=%d\n",
                given.get(i).text(), shape(given.get(i)), call.label(), i));
      }
    }
    String types = results.stream().map(CallText::shape).collect(Collectors.joining(", "));
    String names = results.stream().map(Name::text).collect(Collectors.joining(", "));
    out.append("  ROOT out = (").append(types).append(") tuple(").append(names).append(")\n}\n");
    return out.toString();
  }

  private static String shape(Name name) {
    TensorType type = name.type();
    StringBuilder dims = new StringBuilder();
    StringBuilder layout = new StringBuilder();
    for (int i = 0; i < type.rank(); i++) {
      dims.append(i == 0 ? "" : ",").append(type.dim(i));
      layout.append(i == 0 ? "" : ",").append(type.rank() - 1 - i);
    }
    return type.element().hloName()
        + "["
        + dims
        + "]"
        + (type.rank() == 0 ? "" : "{" + layout + "}");
  }
}
