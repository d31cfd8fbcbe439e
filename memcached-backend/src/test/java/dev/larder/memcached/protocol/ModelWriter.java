package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes, announces, commits and publishes; its client or its connection may die in between. */
final class ModelWriter implements ModelActor {
  /** Where it is. */
  enum Place {
    BEGIN,
    READ_CATALOG,
    WRITE,
    ANNOUNCE,
    PREPARE,
    COMMIT,
    RELEASE,
    ROLL_BACK,
    PUBLISH,
    /** The client is gone before it sent COMMIT: the server process rolls back when it notices. */
    ABORT_LATER,
    /** The client is gone after it sent COMMIT. */
    ZOMBIE,
    RELEASE_ZOMBIE,
    DONE
  }

  /**
   * The state of a writer.
   *
   * @param replies to the first requests of the present batch
   * @param tables what it writes, a bit each
   * @param catalogToken the version of the catalog, while it is of use
   */
  record State(
      Place place,
      @Nullable Announcement announcement,
      @Nullable Publication publication,
      List<VersionReply> replies,
      int tables,
      @Nullable CatalogToken catalogToken) {
    State at(Place next) {
      return new State(next, announcement, publication, List.of(), tables, catalogToken);
    }

    State announcing(Place next, Announcement now, List<VersionReply> answered) {
      return new State(next, now, null, answered, tables, null);
    }

    State publishing(Publication now, List<VersionReply> answered) {
      return new State(Place.PUBLISH, null, now, answered, 0, null);
    }

    State alone(Place next) {
      return new State(next, null, null, List.of(), tables, null);
    }
  }

  private final ModelMutant mutant;
  private final ModelCounts counts;
  private final int self;
  private final int number;
  private final VersionProtocolModelTest.Write write;
  private final boolean together;

  /**
   * Creates a writer.
   *
   * @param self the number of this actor
   * @param number the number of its transaction
   * @param write what it does
   * @param together whether all writers are threads of one JVM
   */
  ModelWriter(
      ModelMutant mutant,
      ModelCounts counts,
      int self,
      int number,
      VersionProtocolModelTest.Write write,
      boolean together) {
    this.mutant = mutant;
    this.counts = counts;
    this.self = self;
    this.number = number;
    this.write = write;
    this.together = together;
  }

  static State start() {
    return new State(Place.BEGIN, null, null, List.of(), 0, null);
  }

  private State at(ModelState state) {
    return (State) state.actors[self];
  }

  @Override
  public int choices(ModelState state) {
    return switch (at(state).place) {
      case DONE -> 0;
      case BEGIN, READ_CATALOG, RELEASE, ABORT_LATER, RELEASE_ZOMBIE -> 1;
      case ZOMBIE -> 2;
      case WRITE, PREPARE, ROLL_BACK -> 1 + crash(state);
      case COMMIT -> 2 + crash(state);
      case ANNOUNCE, PUBLISH -> ModelSender.choices(state) + crash(state);
    };
  }

  private static int crash(ModelState state) {
    return state.crashes > 0 ? 1 : 0;
  }

  @Override
  public @Nullable String step(ModelState state, int choice) {
    State now = at(state);
    if (now.place != Place.ZOMBIE && crash(state) == 1 && choice == choices(state) - 1) {
      if (!List.of(
              Place.BEGIN,
              Place.READ_CATALOG,
              Place.RELEASE,
              Place.ABORT_LATER,
              Place.RELEASE_ZOMBIE)
          .contains(now.place)) {
        crashNow(state, now);
        return null;
      }
    }
    switch (now.place) {
      case BEGIN -> begin(state);
      case READ_CATALOG -> takePicture(state, now);
      case WRITE -> {
        state.transactions[number] = ModelState.Transaction.IN_PROGRESS;
        int tables = write.tables() | (write.fires() && state.trigger ? 0b10 : 0);
        state.actors[self] =
            new State(now.place, now.announcement, null, List.of(), tables, now.catalogToken);
        go(state, mutant == ModelMutant.ANNOUNCE_BEFORE_LOCK ? Place.COMMIT : firstOfAnnounce());
      }
      case ANNOUNCE -> announce(state, now, choice);
      case PREPARE -> {
        state.transactions[number] = ModelState.Transaction.PREPARED;
        go(state, Place.COMMIT);
      }
      case COMMIT -> {
        if (choice == 0) {
          commit(state);
        }
        go(state, Place.RELEASE);
      }
      case RELEASE -> {
        state.transactions[number] = ModelState.Transaction.ENDED;
        go(state, Place.PUBLISH);
        beginPublish(state);
      }
      case ROLL_BACK -> go(state, Place.RELEASE);
      case PUBLISH -> publish(state, now, choice);
      case ABORT_LATER -> {
        state.transactions[number] = ModelState.Transaction.ENDED;
        end(state);
      }
      case ZOMBIE -> {
        if (choice == 0) {
          commit(state);
        }
        go(state, Place.RELEASE_ZOMBIE);
      }
      default -> {
        state.transactions[number] = ModelState.Transaction.ENDED;
        end(state);
      }
    }
    return null;
  }

  @Override
  public String describe(ModelState state, int choice) {
    State now = at(state);
    return "writer " + number + " " + now.place + " " + now.replies.size() + " (" + choice + ")";
  }

  private void begin(ModelState state) {
    if (write.fires()) {
      VersionReading reading =
          VersionReading.of(
              List.of("3"), List.of(state.execute(new VersionRequest.Gets("3"), mutant)), 1);
      boolean readable = reading.verdict() == VersionReading.Verdict.READABLE;
      CatalogToken catalogToken = readable ? new CatalogToken(reading.token(0), 1) : null;
      state.actors[self] = new State(Place.READ_CATALOG, null, null, List.of(), 0, catalogToken);
      return;
    }
    Announcement announcement =
        Announcement.of(state.token(), state.token(), write.written(mutant), null);
    Place next = mutant == ModelMutant.ANNOUNCE_BEFORE_LOCK ? Place.ANNOUNCE : Place.WRITE;
    state.actors[self] = new State(next, announcement, null, List.of(), 0, null);
  }

  /** Looks up what it writes. */
  private void takePicture(ModelState state, State now) {
    List<Announcement.Written> keys =
        (state.trigger ? Stream.of("0", "1") : Stream.of("0"))
            .map(Announcement.Written::wholly)
            .toList();
    Announcement.Check check =
        mutant == ModelMutant.CATALOG_IS_NOT_CHECKED
            ? null
            : new Announcement.Check("3", "2", now.catalogToken);
    Announcement announcement = Announcement.of(state.token(), state.token(), keys, check);
    state.actors[self] = new State(Place.WRITE, announcement, null, List.of(), 0, null);
  }

  private Place firstOfAnnounce() {
    boolean silent = write.keys().isEmpty() || mutant == ModelMutant.DELETE_AFTER_COMMIT_ONLY;
    return silent ? Place.COMMIT : Place.ANNOUNCE;
  }

  private void announce(ModelState state, State now, int choice) {
    Announcement announcement = now.announcement;
    if (announcement == null) {
      throw new IllegalStateException();
    }
    List<VersionRequest> batch = announcement.requests();
    List<VersionReply> replies = new ArrayList<>(now.replies);
    VersionRequest request = batch.get(replies.size());
    VersionReply reply = ModelSender.send(state, request, choice, mutant);
    if (mutant == ModelMutant.COMMIT_WITHOUT_ACKNOWLEDGEMENT
        && reply.equals(VersionReply.UNKNOWN)) {
      reply = VersionReply.of(VersionReply.Outcome.STORED);
    }
    replies.add(reply);
    Place next = Place.ANNOUNCE;
    if (replies.size() == batch.size()) {
      announcement = announcement.accept(replies);
      replies = List.of();
      if (announcement.failed()) {
        next = Place.ROLL_BACK;
      } else if (announcement.acknowledged()) {
        boolean early = mutant == ModelMutant.ANNOUNCE_BEFORE_LOCK;
        next = early ? Place.WRITE : write.prepares() ? Place.PREPARE : Place.COMMIT;
      }
    }
    state.actors[self] = now.announcing(next, announcement, replies);
  }

  private void commit(ModelState state) {
    counts.commits++;
    int tables = at(state).tables;
    for (int table = 0; table < ModelState.TABLES; table++) {
      state.committed[table] += tables >> table & 1;
    }
    state.trigger |= write.createsTrigger();
  }

  private void beginPublish(ModelState state) {
    State now = at(state);
    Announcement announcement = now.announcement;
    if (announcement == null) {
      throw new IllegalStateException();
    }
    if (mutant == ModelMutant.DELETE_AFTER_COMMIT_ONLY) {
      write.keys().forEach(key -> state.store(Integer.parseInt(key), null));
    }
    if (write.keys().isEmpty() || mutant == ModelMutant.DELETE_AFTER_COMMIT_ONLY) {
      end(state);
      return;
    }
    Publication publication = Publication.of(announcement, state.token());
    state.actors[self] = now.publishing(publication, List.of());
  }

  private void publish(ModelState state, State now, int choice) {
    Publication publication = now.publication;
    if (publication == null) {
      throw new IllegalStateException();
    }
    List<VersionRequest> batch = publication.requests(finished(state, publication.writer()));
    List<VersionReply> replies = new ArrayList<>(now.replies);
    VersionRequest request = batch.get(replies.size());
    if (request instanceof VersionRequest.Cas cas) {
      VersionItem item = cas.item();
      request =
          new VersionRequest.Cas(item, ModelRows.published(item.value(), cas.value(), mutant));
    }
    VersionReply reply;
    if (mutant == ModelMutant.BLIND_PUBLISH && request instanceof VersionRequest.Cas cas) {
      state.store(Integer.parseInt(cas.key()), cas.value());
      reply = VersionReply.of(VersionReply.Outcome.STORED);
    } else {
      reply = ModelSender.send(state, request, choice, mutant);
    }
    counts.publishRetries += reply.outcome() == VersionReply.Outcome.CHANGED ? 1 : 0;
    replies.add(reply);
    if (replies.size() == batch.size()) {
      publication = publication.accept(replies);
      replies = List.of();
      if (publication.requests(Set.of()).isEmpty()) {
        end(state);
        return;
      }
    }
    state.actors[self] = now.publishing(publication, replies);
  }

  /**
   * Returns whose marks a swap takes away. The production code finds that out once for a batch, and
   * so takes away fewer.
   */
  private Set<Token> finished(ModelState state, Token self) {
    if (!together) {
      return Set.of(self);
    }
    Set<Token> finished = new HashSet<>();
    for (Object actor : state.actors) {
      if (actor instanceof State writer && writer.publication != null) {
        finished.add(writer.publication.writer());
      } else if (actor instanceof State writer
          && writer.announcement != null
          && mutant == ModelMutant.PUBLISH_FOR_WHO_HAS_NOT_FINISHED) {
        finished.add(writer.announcement.writer());
      }
    }
    return finished;
  }

  private void crashNow(ModelState state, State now) {
    state.crashes--;
    state.orphaned[number] = true;
    if (now.place == Place.PUBLISH) {
      end(state);
    } else if (state.transactions[number] == ModelState.Transaction.NONE) {
      end(state);
    } else if (now.place == Place.COMMIT) {
      if (mutant == ModelMutant.PUBLISH_OF_UNKNOWN_OUTCOME) {
        forgetMark(state, now);
      }
      go(state, Place.ZOMBIE);
    } else {
      go(state, Place.ABORT_LATER);
    }
  }

  /** Takes the marks away and gives a new version, in the best of ways. */
  private void forgetMark(ModelState state, State now) {
    Announcement announcement = now.announcement;
    for (String text : write.keys()) {
      int key = Integer.parseInt(text);
      VersionValue value = state.values[key];
      if (value != null && announcement != null) {
        state.store(key, value.published(Set.of(announcement.writer()), state.token()));
      }
    }
  }

  private void go(ModelState state, Place place) {
    State now = at(state);
    boolean unannounced = place == Place.ABORT_LATER || place == Place.ZOMBIE;
    state.actors[self] = unannounced ? now.alone(place) : now.at(place);
  }

  private void end(ModelState state) {
    state.actors[self] = new State(Place.DONE, null, null, List.of(), 0, null);
  }
}
