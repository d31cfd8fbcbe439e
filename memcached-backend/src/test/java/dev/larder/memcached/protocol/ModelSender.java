package dev.larder.memcached.protocol;

/** Sends one request, which may be lost: nobody knows then whether it will yet be done. */
final class ModelSender {
  private ModelSender() {}

  /** Returns in how many ways sending may go. */
  static int choices(ModelState state) {
    return state.losses > 0 && state.inFlight == null ? 2 : 1;
  }

  static VersionReply send(
      ModelState state, VersionRequest request, int choice, ModelMutant mutant) {
    if (choice == 0) {
      return state.execute(request, mutant);
    }
    state.losses--;
    state.inFlight = request;
    return VersionReply.UNKNOWN;
  }
}
