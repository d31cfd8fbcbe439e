package dev.larder.benchmarks.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;

/**
 * Groups of bars over categories, on a logarithmic axis unless it is said otherwise: factors are
 * what is mostly compared.
 */
public final class BarFigure {
  /** Beyond so many names, they need to stand more upright. */
  private static final int MANY_CATEGORIES = 12;

  private final Figures figures;
  private final String name;
  private final String title;
  private final String yLabel;
  private final Map<String, Map<String, Spread>> values = new LinkedHashMap<>();
  private final List<String> categories = new ArrayList<>();
  private boolean logarithmic = true;

  BarFigure(Figures figures, String name, String title, String yLabel) {
    this.figures = figures;
    this.name = name;
    this.title = title;
    this.yLabel = yLabel;
  }

  /** Adds a bar of {@code series}; one with the same place is replaced. */
  public BarFigure bar(String series, String category, double value) {
    return bar(series, category, new Spread(value, value, value, 1));
  }

  /** Adds a bar with a thin line as long as the range, which a linear axis shows. */
  public BarFigure bar(String series, String category, Spread value) {
    values.computeIfAbsent(series, key -> new LinkedHashMap<>()).put(category, value);
    if (!categories.contains(category)) {
      categories.add(category);
    }
    return this;
  }

  /** Makes the axis linear; values may be below 0. */
  public BarFigure linear() {
    logarithmic = false;
    return this;
  }

  /** Draws, unless there is nothing to draw. */
  public void save() throws IOException {
    if (values.isEmpty()) {
      return;
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(ChartStyle.WIDTH)
            .height(ChartStyle.HEIGHT)
            .title(title)
            .yAxisTitle(yLabel)
            .build();
    ChartStyle.apply(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(.85);
    chart.getStyler().setXAxisLabelRotation(categories.size() > MANY_CATEGORIES ? 60 : 25);
    axis(chart);
    int color = 0;
    for (Map.Entry<String, Map<String, Spread>> entry : values.entrySet()) {
      CategorySeries series =
          logarithmic
              ? chart.addSeries(entry.getKey(), categories, medians(entry.getValue()))
              : chart.addSeries(
                  entry.getKey(), categories, medians(entry.getValue()), halves(entry.getValue()));
      series.setFillColor(ChartStyle.color(entry.getKey(), color++));
    }
    ChartStyle.save(chart, figures, name);
  }

  private void axis(CategoryChart chart) {
    if (logarithmic) {
      double least = all().min().orElse(1);
      double greatest = all().max().orElse(1);
      chart.getStyler().setYAxisLogarithmic(true);
      chart
          .getStyler()
          .setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))))
          .setYAxisMax(Math.pow(10, Math.ceil(Math.log10(greatest))));
    }
  }

  private DoubleStream all() {
    return values.values().stream()
        .flatMap(bars -> bars.values().stream())
        .mapToDouble(Spread::median);
  }

  private List<@Nullable Double> medians(Map<String, Spread> bars) {
    List<@Nullable Double> heights = new ArrayList<>();
    for (String category : categories) {
      Spread spread = bars.get(category);
      heights.add(spread == null ? null : spread.median());
    }
    return heights;
  }

  private List<@Nullable Double> halves(Map<String, Spread> bars) {
    List<@Nullable Double> halves = new ArrayList<>();
    for (String category : categories) {
      Spread spread = bars.get(category);
      halves.add(spread == null ? null : (spread.max() - spread.min()) / 2);
    }
    return halves;
  }
}
