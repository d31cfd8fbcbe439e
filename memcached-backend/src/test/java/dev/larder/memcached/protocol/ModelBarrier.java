package dev.larder.memcached.protocol;

import dev.larder.memcached.format.VersionValue;
import dev.larder.remote.WritersInProgress;
import org.jspecify.annotations.Nullable;

/** Makes one version ready, in several passes. */
final class ModelBarrier implements ModelActor {
  /**
   * The state of a barrier.
   *
   * @param left how many passes may follow
   * @param later whether this is not the first
   * @param early what the primary said before the look, in the mutant that asks first
   */
  record State(
      @Nullable BarrierPass pass, int left, boolean later, @Nullable WritersInProgress early) {}

  private final ModelMutant mutant;
  private final ModelCounts counts;
  private final int self;
  private final String key;

  ModelBarrier(ModelMutant mutant, ModelCounts counts, int self, String key) {
    this.mutant = mutant;
    this.counts = counts;
    this.self = self;
    this.key = key;
  }

  State start(int passes) {
    return new State(BarrierPass.of(key), passes - 1, false, null);
  }

  private State at(ModelState state) {
    return (State) state.actors[self];
  }

  @Override
  public int choices(ModelState state) {
    BarrierPass pass = at(state).pass;
    if (pass == null) {
      return 0;
    }
    return pass.phase() == BarrierPass.Phase.ASK ? 1 : ModelSender.choices(state);
  }

  @Override
  public String describe(ModelState state, int choice) {
    BarrierPass pass = at(state).pass;
    return "barrier of "
        + key
        + " "
        + (pass == null ? "" : pass.phase() + " " + state.inProgress(mutant).writers())
        + " ("
        + choice
        + ")";
  }

  @Override
  public @Nullable String step(ModelState state, int choice) {
    State now = at(state);
    BarrierPass pass = now.pass;
    if (pass == null) {
      throw new IllegalStateException();
    }
    boolean asksFirst = mutant == ModelMutant.BARRIER_ASKS_FIRST;
    if (pass.phase() == BarrierPass.Phase.LOOK && asksFirst && now.early == null) {
      WritersInProgress early = state.inProgress(mutant);
      state.actors[self] = new State(pass, now.left, now.later, early);
      return null;
    }
    BarrierPass next;
    switch (pass.phase()) {
      case LOOK -> next = look(state, pass, choice);
      case ASK -> next = ask(state, pass, now.early);
      default -> next = settle(state, pass, choice, now);
    }
    boolean again = next.phase() == BarrierPass.Phase.WAIT && now.left > 0;
    if (again) {
      state.actors[self] = new State(next.next(), now.left - 1, true, null);
    } else {
      boolean ended =
          next.phase() == BarrierPass.Phase.WAIT || next.phase() == BarrierPass.Phase.DONE;
      state.actors[self] =
          new State(ended ? null : next, ended ? 0 : now.left, !ended && now.later, now.early);
    }
    return null;
  }

  private BarrierPass look(ModelState state, BarrierPass pass, int choice) {
    VersionRequest request = new VersionRequest.Gets(key);
    VersionReply reply = ModelSender.send(state, request, choice, mutant);
    BarrierPass.Sighting before = pass.sighting();
    BarrierPass next = pass.accept(reply, state.token());
    if (mutant == ModelMutant.SIGHTING_OUTLIVES_EVICTION && before != null) {
      return new BarrierPass(key, next.phase(), before, next.item(), next.cas());
    }
    return next;
  }

  private BarrierPass ask(ModelState state, BarrierPass pass, @Nullable WritersInProgress early) {
    WritersInProgress answer = early == null ? state.inProgress(mutant) : early;
    if (mutant == ModelMutant.MARK_EXPIRES_BY_CLOCK) {
      answer = new WritersInProgress(1, java.util.Set.of());
    }
    BarrierPass next = pass.accept(answer, state.token());
    VersionRequest.Cas cas = next.cas();
    if (mutant == ModelMutant.BARRIER_TAKES_LATER_MARKS && cas != null) {
      VersionValue bare = VersionValue.ready(cas.value().token(), 1, java.util.List.of());
      cas = new VersionRequest.Cas(cas.item(), bare);
      return new BarrierPass(key, next.phase(), next.sighting(), null, cas);
    }
    return next;
  }

  private BarrierPass settle(ModelState state, BarrierPass pass, int choice, State now) {
    VersionRequest.Cas cas = pass.cas();
    if (cas == null) {
      throw new IllegalStateException();
    }
    cas = new VersionRequest.Cas(cas.item(), ModelRows.settled(state, cas.value(), mutant));
    VersionReply reply;
    if (mutant == ModelMutant.BARRIER_WITHOUT_CAS) {
      state.store(Integer.parseInt(key), cas.value());
      reply = VersionReply.of(VersionReply.Outcome.STORED);
    } else {
      reply = ModelSender.send(state, cas, choice, mutant);
    }
    if (reply.outcome() == VersionReply.Outcome.STORED) {
      counts.settled++;
      counts.settledInALaterPass += now.later ? 1 : 0;
    }
    return pass.accept(reply, state.token());
  }
}
