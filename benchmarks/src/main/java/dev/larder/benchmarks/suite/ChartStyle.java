package dev.larder.benchmarks.suite;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** What all figures look like. Stateless. */
final class ChartStyle {
  static final int WIDTH = 1000;
  static final int HEIGHT = 640;

  private static final int PADDING = 22;
  private static final double FOOTNOTE_Y = 10;

  /** Told apart by those who see no red and green, too (Okabe and Ito). */
  private static final List<Color> COLORS =
      List.of(
          new Color(0x0072B2),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9),
          new Color(0x7F7F7F),
          new Color(0x8B4513));

  static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CROSS,
          SeriesMarkers.PLUS,
          SeriesMarkers.OVAL,
          SeriesMarkers.TRAPEZOID);

  private static final Color LARDER_COLOR = new Color(0xD55E00);
  private static final Color DIRECT_COLOR = Color.BLACK;
  static final Color SOURCE_COLOR = new Color(0x606060);

  private ChartStyle() {}

  /** Returns the colour of a line or bar: the product and no cache have the same everywhere. */
  static Color color(String label, int index) {
    if (label.startsWith("no cache")) {
      return DIRECT_COLOR;
    }
    boolean larder = label.startsWith("Larder") && !label.matches("Larder, (memcached|miss).*");
    return larder ? LARDER_COLOR : COLORS.get(index % COLORS.size());
  }

  static void apply(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setChartPadding(PADDING);
    styler.setAnnotationTextFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    styler.setAnnotationTextFontColor(SOURCE_COLOR);
    styler.setPlotGridLinesColor(new Color(0xE4E4E4));
    styler.setChartTitleBoxVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setToolTipsEnabled(false);
  }

  static void save(Chart<?, ?> chart, Figures figures, String name) throws IOException {
    chart.addAnnotation(new AnnotationText(figures.footnote(), WIDTH / 2.0, FOOTNOTE_Y, true));
    Files.createDirectories(figures.directory());
    String file = figures.directory().resolve(name).toString();
    BitmapEncoder.saveBitmap(chart, file, BitmapEncoder.BitmapFormat.PNG);
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, file, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
  }
}
