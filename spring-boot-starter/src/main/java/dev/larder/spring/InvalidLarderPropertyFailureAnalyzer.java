package dev.larder.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at a failed start which property {@code larder.*} is wrong and what to do. */
final class InvalidLarderPropertyFailureAnalyzer
    extends AbstractFailureAnalyzer<InvalidLarderPropertyException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, InvalidLarderPropertyException cause) {
    return new FailureAnalysis(
        "The property %s is not valid: %s".formatted(cause.property(), cause.getMessage()),
        cause.action(),
        cause);
  }
}
