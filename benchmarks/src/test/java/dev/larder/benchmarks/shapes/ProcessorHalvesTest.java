package dev.larder.benchmarks.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorHalvesTest {
  @Test
  void aListOfProcessorsNamesNumbersAndRanges() {
    assertThat(ProcessorHalves.parse("0-3,8,10-11")).containsExactly(0, 1, 2, 3, 8, 10, 11);
    assertThat(ProcessorHalves.parse("5")).containsExactly(5);
  }
}
