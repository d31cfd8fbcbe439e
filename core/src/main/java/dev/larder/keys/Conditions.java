package dev.larder.keys;

import dev.larder.keys.Scope.Occurrence;
import dev.larder.keys.Scope.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import org.jspecify.annotations.Nullable;

/**
 * What the conditions of one block say of its tables: which columns equal which constants, and
 * whether evaluating a condition can fail. Used while a statement is being analyzed, by one thread.
 */
final class Conditions {
  private final Scope scope;

  /** What each column is known to equal, one of some constants. */
  private final Map<Place, List<Operand>> constants = new HashMap<>();

  private final List<Link> links = new ArrayList<>();
  private final List<List<Conditions>> choices = new ArrayList<>();
  private boolean safe = true;

  /** What of them may fail, in words. */
  private String refused = "";

  /** Those that are compared with more constants than are looked at. */
  private final Set<Occurrence> many = new HashSet<>();

  /** How many conditions must all hold. */
  private int count;

  /** How many of these mention each occurrence; complete where all are safe. */
  private final Map<Occurrence, Integer> mentions = new HashMap<>();

  /** Two columns that are equal. */
  private record Link(Place one, Place other) {}

  /** The subqueries in them, which are safe only if each is. */
  final List<Subquery> subqueries = new ArrayList<>();

  /** The parts of them that are safe only if none may fail. */
  final List<DoubtfulPart> doubtful = new ArrayList<>();

  Conditions(Scope scope) {
    this.scope = scope;
  }

  /** Takes over what the conditions of the block around say of the rows that this one is for. */
  void addAround(Conditions around) {
    constants.putAll(around.constants);
  }

  /** Returns whether no condition can fail. */
  boolean isSafe() {
    return safe;
  }

  /** Returns what may fail, in words, where they are not safe. */
  String refused() {
    return refused;
  }

  /** Returns how many conditions were added that must all hold. */
  int count() {
    return count;
  }

  /** Adds a condition that every row which matters fulfils. */
  void add(@Nullable Expression condition) {
    if (condition == null) {
      return;
    }
    List<? extends Expression> parts = RowComparison.parts(condition);
    if (parts != null) {
      parts.forEach(this::add);
    } else {
      count++;
      SafeCondition judged = new SafeCondition(scope);
      if (!judged.accepts(condition)) {
        safe = false;
        refused = judged.refused();
      }
      judged.mentioned().forEach(each -> mentions.merge(each, 1, Integer::sum));
      subqueries.addAll(judged.subqueries());
      doubtful.addAll(judged.doubtful());
      if (condition instanceof EqualsTo equality) {
        equal(equality);
      } else if (condition instanceof InExpression in) {
        oneOf(in);
      } else if (condition instanceof OrExpression or) {
        either(or);
      }
    }
  }

  private void equal(EqualsTo equality) {
    Place left = place(equality.getLeftExpression());
    Place right = place(equality.getRightExpression());
    if (left != null && right != null) {
      KeyType type = left.column().type();
      if (type != null && type == right.column().type()) {
        links.add(new Link(left, right));
      }
    } else if (left != null) {
      List<Operand> listed = Operand.listed(equality.getRightExpression(), left.column().type());
      if (listed == null) {
        constant(left, Operand.ofAny(equality.getRightExpression(), left.column().type()));
      } else {
        oneOf(left, listed);
      }
    } else if (right != null) {
      constant(right, Operand.of(equality.getLeftExpression(), right.column().type()));
    }
  }

  private void constant(Place place, @Nullable Operand operand) {
    if (operand != null) {
      known(place, List.of(operand));
    }
  }

  /** Of several lists of constants any is right; the shortest is kept. */
  private void known(Place place, List<Operand> operands) {
    List<Operand> before = constants.get(place);
    if (place.column().type() != null && (before == null || before.size() > operands.size())) {
      constants.put(place, operands);
    }
  }

  private void oneOf(InExpression in) {
    List<List<EqualsTo>> rows = RowComparison.choices(in);
    if (rows != null && rows.size() <= Restriction.MOST_VALUES) {
      choices.add(rows.stream().map(this::branch).toList());
    }
    Place place = place(in.getLeftExpression());
    List<Operand> listed =
        in.isNot() || !(in.getRightExpression() instanceof ParenthesedExpressionList<?> list)
            ? null
            : Operand.all(list, place == null ? null : place.column().type());
    if (place != null && listed != null) {
      oneOf(place, listed);
    }
  }

  private void oneOf(Place place, List<Operand> listed) {
    if (listed.size() > Restriction.MOST_VALUES) {
      many.add(place.of());
    } else if (!listed.isEmpty()) {
      known(place, listed);
    }
  }

  private Conditions branch(List<? extends Expression> all) {
    Conditions branch = new Conditions(scope);
    all.forEach(branch::add);
    return branch;
  }

  private void either(OrExpression or) {
    List<Expression> branches = Operand.branches(or);
    if (branches.size() <= Restriction.MOST_VALUES) {
      choices.add(branches.stream().map(each -> branch(List.of(each))).toList());
    }
  }

  private @Nullable Place place(Expression expression) {
    return expression instanceof Column column ? scope.place(column) : null;
  }

  /** Carries constants over equalities until there is nothing new. */
  void carryOver() {
    boolean more = true;
    while (more) {
      more = false;
      for (Link link : links) {
        more |= carry(link.one(), link.other());
        more |= carry(link.other(), link.one());
      }
    }
  }

  private boolean carry(Place from, Place to) {
    List<Operand> known = constants.get(from);
    if (known == null || constants.containsKey(to)) {
      return false;
    }
    constants.put(to, known);
    return true;
  }

  /**
   * Adds what the condition of a LEFT JOIN says of {@code filled}, its nullable side, alone: rows
   * of it that do not fulfil the condition match nothing. Of the other side it says nothing.
   */
  void addOuter(Conditions on, Occurrence filled) {
    safe &= on.safe;
    refused = refused.isEmpty() ? on.refused : refused;
    doubtful.addAll(on.doubtful);
    Map<Place, List<Operand>> before = new HashMap<>(constants);
    on.constants.forEach(
        (place, operands) -> {
          if (place.of() == filled) {
            known(place, operands);
          }
        });
    for (Link link : on.links) {
      carryInto(link.one(), link.other(), filled, before);
      carryInto(link.other(), link.one(), filled, before);
    }
  }

  private void carryInto(
      Place from, Place to, Occurrence filled, Map<Place, List<Operand>> before) {
    List<Operand> known = before.get(from);
    if (to.of() == filled && known != null) {
      known(to, known);
    }
  }

  /** Returns the values that {@code scheme} is restricted to in {@code of}, or null. */
  @Nullable Restriction restriction(Occurrence of, KeyScheme scheme) {
    List<List<Operand>> values = values(of, scheme, List.of());
    if (values != null) {
      return new Restriction(scheme, values);
    }
    for (List<Conditions> choice : choices) {
      List<List<Operand>> all = new ArrayList<>();
      boolean complete = true;
      for (Conditions branch : choice) {
        List<List<Operand>> some = values(of, scheme, List.of(branch));
        complete &= some != null && all.addAll(some);
      }
      if (complete && all.size() <= Restriction.MOST_VALUES) {
        return new Restriction(scheme, all);
      }
    }
    return null;
  }

  private @Nullable List<List<Operand>> values(
      Occurrence of, KeyScheme scheme, List<Conditions> branch) {
    List<List<Operand>> values = List.of(List.of());
    for (KeyColumn column : scheme.columns()) {
      Place place = new Place(of, column);
      List<Operand> known = constants.get(place);
      for (Conditions more : branch) {
        known = known == null ? more.constants.get(place) : known;
      }
      if (known == null
          || values.size() * known.size() > Restriction.MOST_VALUES
          || (scheme.columns().size() > 1 && Operand.Elements.isIn(known))) {
        return null;
      }
      values = Restriction.combined(values, known);
    }
    return values;
  }

  /** Returns whether all that was added is that {@code scheme} of {@code of} equals constants. */
  boolean areOnlyThat(Occurrence of, KeyScheme scheme) {
    return count == scheme.columns().size()
        && choices.isEmpty()
        && links.isEmpty()
        && scheme.columns().stream().allMatch(c -> constants.containsKey(new Place(of, c)));
  }

  /**
   * Returns the columns that equal those of {@code scheme} in {@code of}, in their order and all of
   * one other occurrence, where nothing else is said of {@code of} at all; or null.
   */
  @Nullable List<Place> onlyJoins(Occurrence of, KeyScheme scheme) {
    List<Place> partners = new ArrayList<>();
    for (KeyColumn column : scheme.columns()) {
      Place partner = null;
      for (Link link : links) {
        if (link.one().equals(new Place(of, column)) && link.other().of() != of) {
          partner = link.other();
        } else if (link.other().equals(new Place(of, column)) && link.one().of() != of) {
          partner = link.one();
        }
      }
      if (partner == null || (!partners.isEmpty() && partners.get(0).of() != partner.of())) {
        return null;
      }
      partners.add(partner);
    }
    return mentions.getOrDefault(of, 0) == scheme.columns().size() ? partners : null;
  }

  /** Returns why nothing restricts {@code of}. */
  Wide whyWide(Occurrence of) {
    return Wide.unrestricted(of, many.contains(of), constants.keySet());
  }

  /** Returns how many conditions there are that mention {@code of}. */
  int mentionsOf(Occurrence of) {
    return mentions.getOrDefault(of, 0);
  }

  /** Returns the one constant that a column equals, or null. */
  @Nullable Operand constant(Place place) {
    List<Operand> known = constants.get(place);
    return known != null && known.size() == 1 && !Operand.Elements.isIn(known)
        ? known.get(0)
        : null;
  }
}
