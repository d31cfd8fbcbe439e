package dev.larder.memcached.protocol;

import dev.larder.memcached.format.BucketCounts;
import dev.larder.memcached.format.Buckets;
import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import dev.larder.remote.RemoteTokens;
import dev.larder.remote.WritersInProgress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * 64 bits that tell states apart. Tokens and numbers count by where they occur, not by what they
 * are: states that differ in nothing else are the same.
 */
final class ModelDigest {
  private static final int NUMBERS = 256;

  private final boolean realNumbers;
  private final int[] tokens;
  private final int[] numbers = new int[ModelState.KEYS * NUMBERS];
  private int names;
  private long hash = 0x9E3779B97F4A7C15L;

  private ModelDigest(ModelState state, boolean realNumbers) {
    this.realNumbers = realNumbers;
    this.tokens = new int[(int) state.nextToken];
  }

  /**
   * Returns the digest of {@code state}.
   *
   * @param realNumbers whether the numbers of values matter, because a server may count anew
   */
  static long of(ModelState state, boolean realNumbers) {
    ModelDigest digest = new ModelDigest(state, realNumbers);
    digest.mix(realNumbers ? state.nextNumber << 8 | state.life : 0);
    for (int key = 0; key < ModelState.KEYS; key++) {
      digest.value(state.values[key]);
      digest.number(key, state.life, state.numbers[key]);
      digest.entry(state.entries[key]);
    }
    digest.mix(state.committed[0] << 8 | state.committed[1] << 1 | (state.trigger ? 1 : 0));
    for (ModelState.Transaction transaction : state.transactions) {
      digest.mix(transaction.ordinal());
    }
    for (Object actor : state.actors) {
      digest.actor(actor);
    }
    digest.request(state.inFlight);
    digest.mix(state.evictions << 12 | state.restarts << 8 | state.losses << 4 | state.crashes);
    return digest.end();
  }

  private void actor(Object actor) {
    if (actor instanceof ModelReader.State reader) {
      mix(reader.place().ordinal() << 8 | reader.read() << 1 | (reader.looked() ? 1 : 0));
      rows(reader.begin());
      replies(reader.replies());
      entry(reader.entry());
      VersionReading reading = reader.reading();
      if (mark(reading) && reading != null) {
        mix(reading.verdict().ordinal());
        mix(reading.values().size());
        reading.values().forEach(this::value);
        mix(reading.missing().hashCode());
      }
      rows(reader.rows());
    } else if (actor instanceof ModelWriter.State writer) {
      mix(writer.place().ordinal());
      mix(writer.tables() << 1 | (writer.catalogToken() == null ? 0 : 1));
      if (writer.catalogToken() != null) {
        token(writer.catalogToken().token());
      }
      announcement(writer.announcement());
      publication(writer.publication());
      replies(writer.replies());
    } else if (actor instanceof ModelBarrier.State barrier) {
      mix(barrier.left() << 1 | (barrier.later() ? 1 : 0));
      pass(barrier.pass());
      inProgress(barrier.early());
    } else {
      throw new IllegalArgumentException(actor.toString());
    }
  }

  private void announcement(@Nullable Announcement announcement) {
    if (mark(announcement) && announcement != null) {
      token(announcement.writer());
      token(announcement.seed());
      mix(announcement.check() == null ? 0 : 1);
      mix(announcement.places().size());
      for (Announcement.Place place : announcement.places()) {
        mix(place.phase().ordinal());
        mix(place.rows() == null ? -1 : place.rows().hashCode());
        item(place.item());
      }
    }
  }

  private void publication(@Nullable Publication publication) {
    if (mark(publication) && publication != null) {
      token(publication.writer());
      token(publication.fresh());
      mix(publication.places().size());
      for (Publication.Place place : publication.places()) {
        mix(place.attempts() << 1 | (place.done() ? 1 : 0));
        item(place.item());
      }
    }
  }

  private void pass(@Nullable BarrierPass pass) {
    if (mark(pass) && pass != null) {
      mix(pass.phase().ordinal());
      BarrierPass.Sighting sighting = pass.sighting();
      if (mark(sighting) && sighting != null) {
        value(sighting.value());
        inProgress(sighting.inProgress());
      }
      item(pass.item());
      request(pass.cas());
    }
  }

  private void inProgress(@Nullable WritersInProgress writers) {
    mix(writers == null ? -1 : writers.writers().hashCode());
  }

  private void replies(List<VersionReply> replies) {
    mix(replies.size());
    for (VersionReply reply : replies) {
      mix(reply.outcome().ordinal());
      item(reply.item());
    }
  }

  private void request(@Nullable VersionRequest request) {
    if (!mark(request) || request == null) {
      return;
    }
    mix(request.key().charAt(0));
    if (request instanceof VersionRequest.Append append) {
      mark(append.mark());
    } else if (request instanceof VersionRequest.Add add) {
      value(add.value());
    } else if (request instanceof VersionRequest.Remove) {
      mix(1);
    } else if (request instanceof VersionRequest.Cas cas) {
      item(cas.item());
      value(cas.value());
    }
  }

  private void item(@Nullable VersionItem item) {
    if (mark(item) && item != null) {
      value(item.value());
      number(item.key().charAt(0) - '0', item.life(), item.cas());
    }
  }

  private void value(@Nullable VersionValue value) {
    if (mark(value) && value != null) {
      mix(value.ready() ? 1 : 0);
      token(value.token());
      mix(value.marks().size());
      value.marks().forEach(this::mark);
      BucketCounts counts = value.counts();
      if (mark((Object) counts) && counts != null) {
        token(counts.life());
        mix(counts.layout());
        mix(counts.counts().hashCode());
      }
    }
  }

  private void entry(ModelState.@Nullable Entry entry) {
    if (mark(entry) && entry != null) {
      kept(entry.tokens());
      rows(entry.rows());
    }
  }

  /** The words are, for each version, a number of buckets, a token, and more about the buckets. */
  private void kept(RemoteTokens tokens) {
    mix(tokens.size());
    int at = 0;
    while (at < tokens.size()) {
      long buckets = tokens.word(at);
      mix(buckets);
      token(new Token(tokens.word(at + 1), tokens.word(at + 2)));
      int end = at + 3 + (buckets == 0 ? 0 : 1 + (int) buckets);
      for (at += 3; at < end; at++) {
        mix(tokens.word(at));
      }
    }
  }

  private void mark(Mark mark) {
    token(mark.writer());
    Buckets rows = mark.rows();
    mix(rows == null ? -1 : rows.hashCode());
  }

  private void rows(@Nullable List<Integer> rows) {
    mix(rows == null ? -1 : rows.get(0) << 8 | rows.get(1));
  }

  private void token(Token token) {
    int index = (int) token.low();
    if (tokens[index] == 0) {
      tokens[index] = ++names;
    }
    mix(tokens[index]);
  }

  private void number(int key, long life, long number) {
    if (realNumbers) {
      mix(life << 8 | number);
    } else {
      int index = key * NUMBERS + (int) number;
      if (numbers[index] == 0) {
        numbers[index] = ++names;
      }
      mix(numbers[index]);
    }
  }

  private boolean mark(@Nullable Object value) {
    mix(value == null ? -1 : value.getClass().hashCode());
    return value != null;
  }

  private void mix(long value) {
    hash = (hash ^ value) * 0xBF58476D1CE4E5B9L;
    hash ^= hash >>> 32;
  }

  private long end() {
    long end = hash * 0x94D049BB133111EBL;
    return end ^ end >>> 29;
  }
}
