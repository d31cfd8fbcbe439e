package dev.larder.benchmarks.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;

/** Groups of bars over categories, on a logarithmic axis: factors are what is compared. */
public final class BarFigure {
  private final Figures figures;
  private final String name;
  private final String title;
  private final String yLabel;
  private final Map<String, Map<String, Double>> values = new LinkedHashMap<>();
  private final List<String> categories = new ArrayList<>();

  BarFigure(Figures figures, String name, String title, String yLabel) {
    this.figures = figures;
    this.name = name;
    this.title = title;
    this.yLabel = yLabel;
  }

  /** Adds a bar of {@code series}; one with the same place is replaced. */
  public BarFigure bar(String series, String category, double value) {
    values.computeIfAbsent(series, key -> new LinkedHashMap<>()).put(category, value);
    if (!categories.contains(category)) {
      categories.add(category);
    }
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
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(decade(false)).setYAxisMax(decade(true));
    chart.getStyler().setAvailableSpaceFill(.85);
    chart.getStyler().setXAxisLabelRotation(25);
    int color = 0;
    for (Map.Entry<String, Map<String, Double>> entry : values.entrySet()) {
      List<@Nullable Double> heights = new ArrayList<>();
      for (String category : categories) {
        heights.add(entry.getValue().get(category));
      }
      CategorySeries series = chart.addSeries(entry.getKey(), categories, heights);
      series.setFillColor(ChartStyle.color(entry.getKey(), color++));
    }
    ChartStyle.save(chart, figures, name);
  }

  private double decade(boolean above) {
    double[] all =
        values.values().stream()
            .flatMap(bars -> bars.values().stream())
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    return above
        ? Math.pow(10, Math.ceil(Math.log10(all[all.length - 1])))
        : Math.pow(10, Math.floor(Math.log10(all[0])));
  }
}
