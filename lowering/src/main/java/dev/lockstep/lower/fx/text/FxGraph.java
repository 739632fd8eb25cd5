package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import org.jspecify.annotations.Nullable;

/**
 * One graph as written: a class with its function, or a function alone.
 *
 * @param name the class, or {@code forward}
 * @param location the line that names it
 * @param parameters what the function takes, {@code self} left out
 * @param statements what it does, in order
 * @param result what it returns; null where it returns nothing
 * @param returns the return statement
 */
public record FxGraph(
    String name,
    Location location,
    ImmutableList<Parameter> parameters,
    ImmutableList<Statement> statements,
    @Nullable Expr result,
    Location returns) {

  /**
   * A parameter.
   *
   * @param type what stands after its colon: {@code f32[4, 8]}, or null
   */
  public record Parameter(String name, Location location, @Nullable Expr type) {}

  /**
   * A statement.
   *
   * @param location all of it
   * @param targets the names it assigns to, left to right
   * @param unpacks whether the targets get the elements of the value, and not the value each
   * @param type what stands after the colon, {@code f32[4, 8]}, or null
   * @param value what is assigned, or null where only a type is stated
   */
  public record Statement(
      Location location,
      ImmutableList<Expr> targets,
      boolean unpacks,
      @Nullable Expr type,
      @Nullable Expr value) {}
}
