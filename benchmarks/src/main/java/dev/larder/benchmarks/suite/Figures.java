package dev.larder.benchmarks.suite;

import java.nio.file.Path;

/**
 * Where figures go, each as PNG and as SVG.
 *
 * @param directory where to
 * @param footnote the machine and its load, which every figure carries
 */
public record Figures(Path directory, String footnote) {
  /** Begins a figure of lines. */
  public LineFigure lines(String name, String title, String x, String y) {
    return new LineFigure(this, name, title, x, y);
  }

  /** Begins a figure of bars. */
  public BarFigure bars(String name, String title, String y) {
    return new BarFigure(this, name, title, y);
  }
}
