package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.pass.region.merge.MergeRule;

/** What is done about operations on uneven shards. The one place where these rules are listed. */
public final class ShardRules {
  /** All of them; each is for different operations. */
  public static final ImmutableList<MergeRule> ALL =
      ImmutableList.of(
          PassThroughRule.INSTANCE,
          ReshapeRule.INSTANCE,
          ShardPadRule.INSTANCE,
          ShardSliceRule.INSTANCE,
          ShardConcatenateRule.INSTANCE,
          ShardReduceRule.INSTANCE,
          ShardDotRule.INSTANCE,
          ShardGatherRule.INSTANCE,
          ShardScatterRule.INSTANCE,
          ShardMeetingRule.INSTANCE,
          ShardTakeRule.INSTANCE,
          ShardDynamicRule.INSTANCE,
          ShardCountRule.INSTANCE);

  private ShardRules() {}
}
