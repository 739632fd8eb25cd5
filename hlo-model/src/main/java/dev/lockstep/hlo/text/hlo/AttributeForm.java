package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableMap;

/**
 * How the value of an attribute is read, by its name. Most values say by themselves what they are
 * ({@link #PLAIN}); these names do not.
 *
 * <p>Source: the attribute tables of XLA's {@code hlo_parser.cc}.
 */
enum AttributeForm {
  /** An integer, a truth value, a string, a word, a list or a list of lists of integers. */
  PLAIN,
  /** One computation, several in braces, or the text of one in braces. */
  COMPUTATIONS,
  /** Instructions in braces. */
  INSTRUCTIONS,
  /** A number that may look like an integer. */
  REAL,
  /** {@code {{0,1}}}, {@code [2,4]<=[8]} or {@code mesh['a'=2] {'a'}}. */
  GROUPS,
  /** {@code {[0:4:1], [2:3]}}. */
  SLICE,
  /** {@code 0_1x2_3_1}. */
  PADDING,
  /** {@code {size=3x3 pad=1_1x1_1}}. */
  WINDOW,
  /** A shape. */
  SHAPE,
  /** {@code {(f32[2]{0})->f32[2]{0}}}. */
  PROGRAM,
  /** Shapes in braces. */
  SHAPES,
  /** A shape and its literal. */
  LITERAL,
  /** {@code {name="value",other={json}}}. */
  STRINGS,
  /** A string, JSON, or an MLIR dictionary. */
  CONFIG,
  /** Entries with blanks between them. */
  METADATA,
  /** Indices and kinds of aliases. */
  ALIASING,
  /** The same, of a module. */
  MODULE_ALIASING,
  /** Kept as it is. */
  TEXT;

  private static final ImmutableMap<String, AttributeForm> BY_NAME =
      ImmutableMap.<String, AttributeForm>builder()
          .put("to_apply", COMPUTATIONS)
          .put("calls", COMPUTATIONS)
          .put("condition", COMPUTATIONS)
          .put("body", COMPUTATIONS)
          .put("true_computation", COMPUTATIONS)
          .put("false_computation", COMPUTATIONS)
          .put("branch_computations", COMPUTATIONS)
          .put("called_computations", COMPUTATIONS)
          .put("select", COMPUTATIONS)
          .put("scatter", COMPUTATIONS)
          .put("async_computation", COMPUTATIONS)
          .put("control-predecessors", INSTRUCTIONS)
          .put("epsilon", REAL)
          .put("replica_groups", GROUPS)
          .put("slice", SLICE)
          .put("padding", PADDING)
          .put("window", WINDOW)
          .put("outfeed_shape", SHAPE)
          .put("operand_layout_constraints", SHAPES)
          .put("literal", LITERAL)
          .put("frontend_attributes", STRINGS)
          .put("backend_config", CONFIG)
          .put("dim_labels", TEXT)
          .put("metadata", METADATA)
          .put("sharding", TEXT)
          .put("origin", TEXT)
          .put("statistics", TEXT)
          .put("result_accuracy", TEXT)
          .put("output_to_operand_aliasing", ALIASING)
          .put("parameter_replication", TEXT)
          .put("domain", TEXT)
          .put("operand_precision", TEXT)
          .put("sparsity", TEXT)
          .put("entry_computation_layout", PROGRAM)
          .put("input_output_alias", MODULE_ALIASING)
          .put("buffer_donor", MODULE_ALIASING)
          .put("allow_spmd_sharding_propagation_to_parameters", TEXT)
          .put("allow_spmd_sharding_propagation_to_output", TEXT)
          .buildOrThrow();

  /** Returns the form of the attribute called {@code name}. */
  static AttributeForm of(Symbol name) {
    AttributeForm form = name.form;
    if (form == null) {
      form = BY_NAME.getOrDefault(name.text, PLAIN);
      name.form = form;
    }
    return form;
  }
}
