package dev.larder.memcached;

import dev.larder.memcached.protocol.CatalogToken;
import dev.larder.memcached.protocol.VersionKeys;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.remote.RemoteQuestion;
import dev.larder.remote.RemoteReading;
import dev.larder.remote.RemoteTokens;
import dev.larder.store.Tag;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What was read for a question. Immutable. */
record Read(
    VersionKeys keys, VersionReading reading, RemoteQuestion question, @Nullable Shared shared)
    implements RemoteReading {
  @Override
  public Verdict verdict(Collection<? extends Tag> tags) {
    return switch (reading.verdict(keys.needs(tags))) {
      case READABLE -> isOfCatalog(reading, question) ? Verdict.READABLE : Verdict.OTHER_CATALOG;
      case MISSING, NOT_READY -> Verdict.NOT_READY;
      case BEING_WRITTEN -> Verdict.BEING_WRITTEN;
      case UNKNOWN -> Verdict.UNREACHABLE;
    };
  }

  @Override
  public boolean permits(RemoteTokens tokens) {
    return isOfCatalog(reading, question) && reading.permits(tokens);
  }

  @Override
  public @Nullable RemoteTokens tokens(Collection<? extends Tag> tags) {
    return isOfCatalog(reading, question) ? reading.tokens(keys.needs(tags)) : null;
  }

  /** Returns whether the catalog is the one in which the question was looked up. */
  static boolean isOfCatalog(VersionReading reading, RemoteQuestion question) {
    return question.catalogVersion() instanceof CatalogToken token && token.isTrueIn(reading);
  }
}
