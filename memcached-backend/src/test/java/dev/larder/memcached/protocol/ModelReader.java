package dev.larder.memcached.protocol;

import dev.larder.memcached.format.VersionValue;
import dev.larder.remote.RemoteTokens;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads through the versions and the entries, and finds fault with every row that is too old. */
final class ModelReader implements ModelActor {
  /** Where it is. */
  enum Place {
    READ,
    EXECUTE,
    FILL,
    SEED,
    DONE
  }

  /**
   * The state of a reader.
   *
   * @param read which of its reads it is at
   * @param begin what was committed when the read began; null before
   * @param replies of the versions read so far
   * @param entry what was found; null for nothing
   * @param looked whether the entry was looked for
   * @param reading what the versions mean; null before all are read
   * @param rows what was executed
   */
  record State(
      Place place,
      int read,
      @Nullable List<Integer> begin,
      List<VersionReply> replies,
      ModelState.@Nullable Entry entry,
      boolean looked,
      @Nullable VersionReading reading,
      @Nullable List<Integer> rows) {}

  /**
   * What a query reads.
   *
   * @param early what its result depends on, as far as that is known before there is one
   * @param needs what it depends on
   */
  record Query(
      int entry,
      List<String> keys,
      List<@Nullable Need> early,
      List<@Nullable Need> needs,
      int tables) {
    static Query of(int entry, List<String> keys, int tables) {
      List<@Nullable Need> whole = Collections.nCopies(keys.size(), Need.WHOLE);
      return new Query(entry, keys, whole, whole, tables);
    }

    static Query ofRows(int entry, @Nullable Need early, Need need, int tables) {
      return new Query(
          entry,
          List.of("0"),
          Collections.singletonList(early),
          Collections.singletonList(need),
          tables);
    }
  }

  private final ModelMutant mutant;
  private final ModelCounts counts;
  private final int self;
  private final boolean entryFirst;
  private final List<Query> queries;

  ModelReader(
      ModelMutant mutant, ModelCounts counts, int self, boolean entryFirst, List<Query> queries) {
    this.mutant = mutant;
    this.counts = counts;
    this.self = self;
    this.entryFirst = entryFirst;
    this.queries = queries;
  }

  State start(int read) {
    boolean early = mutant == ModelMutant.CAPTURE_AFTER_EXECUTE;
    return read == queries.size()
        ? new State(Place.DONE, read, null, List.of(), null, false, null, null)
        : new State(
            early ? Place.EXECUTE : Place.READ, read, null, List.of(), null, false, null, null);
  }

  private State at(ModelState state) {
    return (State) state.actors[self];
  }

  @Override
  public int choices(ModelState state) {
    return at(state).place == Place.DONE ? 0 : 1;
  }

  @Override
  public String describe(ModelState state, int choice) {
    State now = at(state);
    return "reader " + self + " " + now.place + " query " + now.read + " " + now.replies.size();
  }

  @Override
  public @Nullable String step(ModelState state, int choice) {
    State now = at(state);
    Query query = queries.get(now.read);
    switch (now.place) {
      case READ -> {
        return read(state, now, query);
      }
      case EXECUTE -> {
        boolean early = mutant == ModelMutant.CAPTURE_AFTER_EXECUTE;
        state.actors[self] =
            new State(
                early ? Place.READ : Place.FILL,
                now.read,
                state.rows(),
                List.of(),
                null,
                false,
                now.reading,
                state.rows());
      }
      case FILL -> {
        VersionReading reading = now.reading;
        List<Integer> rows = now.rows;
        RemoteTokens tokens = reading == null ? null : tokens(state, query, reading);
        if (rows != null && tokens != null) {
          counts.fills++;
          state.entries[query.entry] = new ModelState.Entry(tokens, rows);
        }
        state.actors[self] = start(now.read + 1);
      }
      default -> seed(state, now);
    }
    return null;
  }

  private @Nullable RemoteTokens tokens(ModelState state, Query query, VersionReading reading) {
    if (mutant != ModelMutant.LATE_COUNTS_ARE_READ_LATER) {
      return reading.tokens(query.needs);
    }
    List<VersionReply> now =
        query.keys.stream()
            .map(key -> state.execute(new VersionRequest.Gets(key), mutant))
            .toList();
    return VersionReading.of(query.keys, now, 1).tokens(query.needs);
  }

  private @Nullable String read(ModelState state, State now, Query query) {
    List<Integer> begin = now.begin == null ? state.rows() : now.begin;
    List<VersionReply> replies = new ArrayList<>(now.replies);
    ModelState.Entry entry = now.entry;
    boolean looked = now.looked;
    if (!looked && (entryFirst || replies.size() == query.keys.size())) {
      entry = state.entries[query.entry];
      looked = true;
    } else {
      VersionRequest get = new VersionRequest.Gets(query.keys.get(replies.size()));
      replies.add(seen(state.execute(get, mutant)));
    }
    if (!looked || replies.size() < query.keys.size()) {
      state.actors[self] =
          new State(Place.READ, now.read, begin, replies, entry, looked, null, now.rows);
      return null;
    }
    return decide(state, now, query, begin, VersionReading.of(query.keys, replies, 1), entry);
  }

  /** The number of a value is not known to a reader, so that it must not tell states apart. */
  private VersionReply seen(VersionReply reply) {
    VersionItem item = reply.item();
    return item == null
        ? reply
        : VersionReply.found(
            new VersionItem(item.key(), ModelRows.read(item.value(), mutant), 0, 0));
  }

  private @Nullable String decide(
      ModelState state,
      State now,
      Query query,
      List<Integer> begin,
      VersionReading reading,
      ModelState.@Nullable Entry entry) {
    boolean missingIsFresh =
        mutant == ModelMutant.MISSING_VERSION_IS_FRESH
            && reading.verdict() == VersionReading.Verdict.MISSING;
    if (entry != null && (reading.permits(entry.tokens()) || missingIsFresh)) {
      counts.hits++;
      state.actors[self] = start(now.read + 1);
      boolean joins = mutant == ModelMutant.JOINS_THE_READ_UNDER_WAY;
      return fault(query, joins ? state.rows() : begin, entry.rows());
    }
    boolean readable = reading.verdict(query.early) == VersionReading.Verdict.READABLE;
    boolean early = mutant == ModelMutant.CAPTURE_AFTER_EXECUTE;
    Place next = early ? Place.FILL : Place.EXECUTE;
    if (!reading.missing().isEmpty()) {
      next = Place.SEED;
    } else if (!readable) {
      state.actors[self] = start(now.read + 1);
      return null;
    }
    state.actors[self] = new State(next, now.read, null, List.of(), null, false, reading, now.rows);
    return null;
  }

  private static @Nullable String fault(Query query, List<Integer> begin, List<Integer> rows) {
    for (int table = 0; table < ModelState.TABLES; table++) {
      if ((query.tables >> table & 1) != 0 && rows.get(table) < begin.get(table)) {
        return "hit " + rows + " in a read that began at " + begin;
      }
    }
    return null;
  }

  private void seed(ModelState state, State now) {
    VersionReading reading = now.reading;
    if (reading == null) {
      throw new IllegalStateException();
    }
    for (VersionRequest request : reading.seed(state.token())) {
      if (mutant == ModelMutant.SEED_WITHOUT_BARRIER) {
        VersionValue ready = VersionValue.ready(state.token(), 1, List.of());
        state.execute(new VersionRequest.Add(request.key(), ready), mutant);
      } else {
        state.execute(request, mutant);
      }
    }
    state.actors[self] = start(now.read + 1);
  }
}
