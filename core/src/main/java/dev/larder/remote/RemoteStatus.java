package dev.larder.remote;

/**
 * The state of a {@link RemoteCache}, and its counts since it was opened.
 *
 * @param breaker {@code closed} while it is asked, {@code open} while it does not answer
 * @param outages how often it did not answer
 * @param barrierRuns how often the primary was asked who is writing
 * @param unsettled how many versions wait for an answer to that now
 * @param undecodable how many results were found that could not be read
 */
public record RemoteStatus(
    String breaker, long outages, long barrierRuns, long unsettled, long undecodable) {}
