package dev.larder.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.analysis.SqlAnalyzer;
import dev.larder.bypass.BypassReason;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.QueryWords;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.lexer.StatementText;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Texts that were lexed and shapes that were analyzed, each in a bounded cache of its own. A text
 * that was seen before costs one look-up; another text of a known shape costs the lexer, and is
 * remembered for long, if it has literals, once it comes again; the parser runs once for each
 * shape, unless several threads ask for a new one at a time. Where an application writes a new text
 * for each query, the parser would cost more than the query, and for nothing. So after many new
 * queries in a short time ({@link FirstParses}) it runs only for those that come again; of the
 * others the words are looked at ({@link QueryWords}), and nothing is remembered. Thread-safe.
 */
final class PlanCache {
  private static final long MAX_TEXT_BYTES = 8_000_000;
  private static final long MAX_SHAPE_BYTES = 8_000_000;
  // What a plan and an analysis weigh beside their text, whose characters take a byte; names are
  // shared by most statements that have them. EngineGrowthTest looks at the heap.
  private static final int TEXT_OVERHEAD = 200;
  private static final int SHAPE_OVERHEAD = 1_000;
  private static final int NAME_BYTES = 10;
  private static final int RECENT_TEXTS = 1 << 10;
  private static final int MAX_RECENT_CHARACTERS = 2_000;
  private static final int SEEN = 1 << 14;

  private final SqlAnalyzer analyzer = new SqlAnalyzer();
  private final Function<StatementShape, SqlAnalysis> parser;
  private final ShapeStatistics retired;
  private final Cache<StatementShape, ShapePlan> shapes;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private final Cache<String, Plan>[] texts = new Cache[8];

  /**
   * The text that was asked for last of those that share a slot, in front of {@link #texts}: what a
   * bounded cache notes about every reading costs a hit more than the comparison of the text. Plans
   * are immutable, so that threads may race here.
   */
  private final @Nullable Plan[] recentPlans = new @Nullable Plan[RECENT_TEXTS * texts.length];

  /** The shapes that were new last; one that is lost costs a bypass. */
  private final RecentHashes seenShapes = new RecentHashes(SEEN);

  /** The texts with literals that were new last; one that is lost is lexed once more. */
  private final RecentHashes seenTexts = new RecentHashes(SEEN);

  private final FirstParses firstParses;

  /**
   * Creates an empty cache.
   *
   * @param retired receives the counts of shapes that are forgotten
   */
  PlanCache(ShapeStatistics retired) {
    this(retired, new SqlAnalyzer()::analyze, FirstParses.ofThisJvm());
  }

  /** As the other, with {@code parser} in place of {@link SqlAnalyzer#analyze}. */
  PlanCache(
      ShapeStatistics retired,
      Function<StatementShape, SqlAnalysis> parser,
      FirstParses firstParses) {
    this.retired = retired;
    this.parser = parser;
    this.firstParses = firstParses;
    this.shapes =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(MAX_SHAPE_BYTES)
            .weigher((StatementShape shape, ShapePlan plan) -> weightBytes(plan))
            .removalListener((shape, plan, cause) -> retire(plan))
            .build();
    for (int i = 0; i < texts.length; i++) {
      texts[i] =
          Caffeine.newBuilder()
              .executor(Runnable::run)
              .maximumWeight(2 * MAX_TEXT_BYTES / texts.length) // A database has one encoding.
              .weigher((String text, Plan plan) -> TEXT_OVERHEAD + text.length())
              .build();
    }
    // To link what it calls takes room on the stack, which there is now.
    ShapePlan unused = unparsed(SqlLexer.lex("SELECT 1", LexOptions.PREPARED).shape());
  }

  Plan plan(String sql, LexOptions options) {
    int kind =
        (options.prepared() ? 1 : 0)
            | (options.standardConformingStrings() ? 2 : 0)
            | (options.singleByte() ? 4 : 0);
    int slot = (sql.hashCode() & (RECENT_TEXTS - 1)) * texts.length + kind;
    Plan recent = recentPlans[slot];
    if (recent != null && recent.sql().equals(sql) && !recent.shape().isRetired()) {
      return recent;
    }
    Plan known = texts[kind].getIfPresent(sql);
    if (known == null || known.shape().isRetired()) {
      StatementText text = SqlLexer.lex(sql, options);
      known = new Plan(sql, text, shape(text.shape()), options);
      // Most texts with literals come once: a bounded cache would take them in for nothing.
      if (!known.shape().isPassing()
          && (known.literals().length == 0 || seenTexts.seen(sql.hashCode()))) {
        texts[kind].put(sql, known);
      }
    }
    if (sql.length() <= MAX_RECENT_CHARACTERS) {
      recentPlans[slot] = known;
    }
    return known;
  }

  private ShapePlan shape(StatementShape shape) {
    ShapePlan known = shapes.getIfPresent(shape);
    if (known != null) {
      return known;
    }
    try {
      // Not within the cache's computation, which must not be left in the middle.
      QueryWords words = seenShapes.seen(shape.hashCode()) ? null : QueryWords.of(shape);
      return words == null || firstParses.take()
          ? remember(new ShapePlan(shape, parser.apply(shape)))
          : new ShapePlan(shape, words, retired);
    } catch (StackOverflowError e) {
      // The caller's stack is nearly full: what the driver has room for goes on, and is forgotten.
      return unparsed(shape);
    }
  }

  private ShapePlan remember(ShapePlan made) {
    ShapePlan other = shapes.asMap().putIfAbsent(made.shape(), made);
    return other == null ? made : other;
  }

  private static int weightBytes(ShapePlan plan) {
    int names = 0;
    for (StatementFacts facts : plan.analysis().statements()) {
      names += facts.nameCount();
    }
    return SHAPE_OVERHEAD + plan.shape().text().length() + NAME_BYTES * names;
  }

  private ShapePlan unparsed(StatementShape shape) {
    ShapePlan made = new ShapePlan(shape, analyzer.analyzeUnparsed(shape));
    made.retire(retired);
    return made;
  }

  /**
   * For an execution of a shape of which only the tokens were looked at: has it parsed, unless this
   * is the first one.
   *
   * @return why nothing can be looked up, or null
   */
  @Nullable BypassReason meetAgain(ShapePlan plan) {
    if (!plan.isMetAgain()) {
      return BypassReason.SEEN_ONCE;
    }
    try {
      plan.understand(parser.apply(plan.shape()));
      if (plan.isPassing()) {
        plan.stays();
        if (remember(plan) != plan) {
          plan.retire(retired); // Another text of the shape came first: all go by that plan.
        }
      }
      return plan.textBypass();
    } catch (StackOverflowError e) {
      return BypassReason.SEEN_ONCE; // The driver may still have room, and a later execution.
    }
  }

  /** Returns the plan of {@code shape}, or null where that is not known, or no more. */
  @Nullable ShapePlan known(StatementShape shape) {
    return shapes.getIfPresent(shape);
  }

  Collection<ShapePlan> shapes() {
    return shapes.asMap().values();
  }

  /** Returns how many texts are known, after whatever was due was done. */
  long textCount() {
    long count = 0;
    for (Cache<String, Plan> cache : texts) {
      cache.cleanUp();
      count += cache.estimatedSize();
    }
    return count;
  }

  private void retire(@Nullable ShapePlan plan) {
    if (plan != null) {
      plan.retire(retired);
    }
  }
}
