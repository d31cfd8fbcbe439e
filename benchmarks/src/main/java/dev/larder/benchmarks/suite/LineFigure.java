package dev.larder.benchmarks.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Lines through medians, with bars from the least to the greatest reading, and what a source has
 * published as dashed lines in grey. Axes begin at 0, or at a power of ten where they are
 * logarithmic.
 */
public final class LineFigure {
  private static final double[] NAMES = {0.97, 0.92};

  private final Figures figures;
  private final String name;
  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final List<Line> lines = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private final List<Scene> scenes = new ArrayList<>();
  private boolean doublingX;
  private boolean decadesX;
  private boolean fromZeroX;
  private boolean decadesY;
  private boolean markers = true;

  private record Line(String label, List<Results.Point> points) {}

  private record Mark(String label, double value, boolean vertical) {}

  private record Scene(String label, double from, double to) {}

  LineFigure(Figures figures, String name, String title, String xLabel, String yLabel) {
    this.figures = figures;
    this.name = name;
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  /** Adds a line; one without points is left out. */
  public LineFigure line(String label, List<Results.Point> points) {
    if (!points.isEmpty()) {
      lines.add(new Line(label, points));
    }
    return this;
  }

  /** Marks a value of x that a source has published. */
  public LineFigure published(String label, double x) {
    marks.add(new Mark(label, x, true));
    return this;
  }

  /** Marks a value of y that a source has published. */
  public LineFigure publishedLevel(String label, double y) {
    marks.add(new Mark(label, y, false));
    return this;
  }

  /** Names what happened in a part of x, above the lines. */
  public LineFigure scene(String label, double from, double to) {
    scenes.add(new Scene(label, from, to));
    return this;
  }

  /** Makes equal steps of x doublings. */
  public LineFigure doublingX() {
    doublingX = true;
    return this;
  }

  /** Makes the x axis logarithmic. */
  public LineFigure decadesX() {
    decadesX = true;
    return this;
  }

  /** Begins the x axis at 0, although no line does. */
  public LineFigure fromZeroX() {
    fromZeroX = true;
    return this;
  }

  /** Makes the y axis logarithmic. */
  public LineFigure decadesY() {
    decadesY = true;
    return this;
  }

  /** Draws many points as a line alone. */
  public LineFigure withoutMarkers() {
    markers = false;
    return this;
  }

  /** Draws, unless there is nothing to draw. */
  public void save() throws IOException {
    if (lines.isEmpty()) {
      return;
    }
    XYChart chart =
        new XYChartBuilder()
            .width(ChartStyle.WIDTH)
            .height(ChartStyle.HEIGHT)
            .title(title)
            .xAxisTitle(xLabel + (markers ? " (upright lines: least to greatest reading)" : ""))
            .yAxisTitle(yLabel)
            .build();
    ChartStyle.apply(chart.getStyler());
    axes(chart);
    for (int i = 0; i < lines.size(); i++) {
      add(chart, lines.get(i), i);
    }
    for (int i = 0; i < marks.size(); i++) {
      add(chart, marks.get(i), i);
    }
    for (int i = 0; i < scenes.size(); i++) {
      add(chart, scenes.get(i), i);
    }
    ChartStyle.save(chart, figures, name);
  }

  private void axes(XYChart chart) {
    chart.getStyler().setYAxisMin(minY()).setYAxisMax(maxY());
    if (decadesY) {
      chart.getStyler().setYAxisLogarithmic(true);
    }
    if (decadesX) {
      chart.getStyler().setXAxisLogarithmic(true);
    }
    if (fromZeroX) {
      chart.getStyler().setXAxisMin(0.0);
    }
    if (doublingX) {
      chart
          .getStyler()
          .setxAxisTickLabelsFormattingFunction(
              x -> x == Math.rint(x) ? Integer.toString(1 << x.intValue()) : " ");
    }
  }

  private double minY() {
    double least =
        lines.stream()
            .flatMap(line -> line.points.stream())
            .mapToDouble(point -> point.y().min())
            .min()
            .orElse(1);
    for (Mark mark : marks) {
      least = mark.vertical ? least : Math.min(least, mark.value);
    }
    return decadesY ? Math.pow(10, Math.floor(Math.log10(least))) : 0;
  }

  private double maxY() {
    double greatest =
        lines.stream()
            .flatMap(line -> line.points.stream())
            .mapToDouble(point -> point.y().max())
            .max()
            .orElse(1);
    for (Mark mark : marks) {
      greatest = mark.vertical ? greatest : Math.max(greatest, mark.value);
    }
    if (decadesY) {
      return Math.pow(10, Math.ceil(Math.log10(greatest)) + (scenes.isEmpty() ? 0 : 1));
    }
    return greatest * (scenes.isEmpty() ? 1.05 : 1.2);
  }

  /** Returns how high a share of the y axis reaches. */
  private double y(double share) {
    return decadesY ? minY() * Math.pow(maxY() / minY(), share) : share * maxY();
  }

  /** Names take turns on two lines, so that they have room. */
  private void add(XYChart chart, Scene scene, int index) {
    double middle = x((scene.from + scene.to) / 2);
    chart.addAnnotation(new AnnotationText(scene.label, middle, y(NAMES[index % 2]), false));
    for (double end : new double[] {scene.from, scene.to}) {
      XYSeries series =
          chart.addSeries(
              scene.label + " " + end,
              new double[] {x(end), x(end)},
              new double[] {minY(), y(0.9)});
      series.setShowInLegend(false);
      series.setLineColor(ChartStyle.SOURCE_COLOR);
      series.setLineStyle(SeriesLines.DASH_DASH);
      series.setLineWidth(1);
      series.setMarker(SeriesMarkers.NONE);
    }
  }

  private double x(double x) {
    return doublingX ? Math.log(x) / Math.log(2) : x;
  }

  private void add(XYChart chart, Line line, int index) {
    double[] x = line.points.stream().mapToDouble(point -> x(point.x())).toArray();
    double[] y = line.points.stream().mapToDouble(point -> point.y().median()).toArray();
    XYSeries series = chart.addSeries(line.label, x, y);
    series.setLineColor(ChartStyle.color(line.label, index));
    series.setMarkerColor(ChartStyle.color(line.label, index));
    series.setMarker(
        markers ? ChartStyle.MARKERS.get(index % ChartStyle.MARKERS.size()) : SeriesMarkers.NONE);
    series.setLineStyle(SeriesLines.SOLID);
    if (markers) {
      addSpread(chart, line, index);
    }
  }

  /**
   * A thin upright line from the least to the greatest: error bars of the library are symmetric.
   */
  private void addSpread(XYChart chart, Line line, int index) {
    for (int i = 0; i < line.points.size(); i++) {
      Results.Point point = line.points.get(i);
      if (point.y().count() > 1) {
        XYSeries bar =
            chart.addSeries(
                line.label + " spread " + i,
                new double[] {x(point.x()), x(point.x())},
                new double[] {point.y().min(), point.y().max()});
        bar.setShowInLegend(false);
        bar.setLineColor(ChartStyle.color(line.label, index));
        bar.setMarker(SeriesMarkers.NONE);
        bar.setLineWidth(1);
      }
    }
  }

  private void add(XYChart chart, Mark mark, int index) {
    double[] xs =
        lines.stream()
            .flatMap(line -> line.points.stream())
            .mapToDouble(point -> x(point.x()))
            .toArray();
    double left = java.util.Arrays.stream(xs).min().orElse(0);
    double right = java.util.Arrays.stream(xs).max().orElse(1);
    double[] x =
        mark.vertical ? new double[] {x(mark.value), x(mark.value)} : new double[] {left, right};
    double[] y =
        mark.vertical ? new double[] {minY(), maxY()} : new double[] {mark.value, mark.value};
    XYSeries series = chart.addSeries(mark.label, x, y);
    series.setLineColor(ChartStyle.SOURCE_COLOR);
    series.setLineStyle(index % 2 == 0 ? SeriesLines.DASH_DASH : SeriesLines.DOT_DOT);
    series.setLineWidth(1.5f);
    series.setMarker(SeriesMarkers.NONE);
  }
}
