package dev.larder.feed;

/**
 * What goes on with a feed, for people. Immutable.
 *
 * @param state how far it is
 * @param because what it waits for, or why it is lost, in words; empty for nothing
 * @param cure what to do about that, as SQL or in words; empty for nothing
 * @param slot the name of the slot at the server; empty for none
 * @param readBytes how much of the log was read, in bytes
 * @param losses how often it was lost
 */
public record FeedStatus(
    State state, String because, String cure, String slot, long readBytes, long losses) {
  /** How far a feed is. */
  public enum State {
    /** Nobody asks for one. */
    OFF,
    /** Connections are opened, and the slot is made: that waits for older transactions. */
    STARTING,
    /** The log is read, and commits from before it may not be visible yet. */
    SETTLING,
    /** All commits are followed; how far that is behind, {@link FollowedWrites#fresh} says. */
    LIVE,
    /** Nothing is read; it is tried again. */
    LOST
  }

  /** Of a feed that nobody asks for. */
  public static final FeedStatus OFF = new FeedStatus(State.OFF, "", "", "", 0, 0);
}
