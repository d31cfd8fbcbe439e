package dev.larder.jdbc.connection;

import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.store.PendingWrite;
import org.jspecify.annotations.Nullable;

/**
 * Something between announce and publish.
 *
 * @param pending what was announced, or null where nothing had to be
 * @param told what other JVMs were told, or null where they had not to be
 * @param before the state of the transaction before
 * @param usable whether the connection was open: otherwise nothing is sent, and nothing follows
 * @param doubtful whether it was doubtful already that an answer belongs to its question
 */
record Sending(
    Effects effects,
    @Nullable PendingWrite pending,
    SharedWrites.@Nullable Told told,
    TransactionStatus before,
    boolean usable,
    boolean doubtful) {}
