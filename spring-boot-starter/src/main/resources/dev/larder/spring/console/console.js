'use strict';

const PERIOD = 5000;
const LIMIT = 100;
const DEBOUNCE = 250;

/* What the tables of rows show: a column of numbers is sorted from the highest, one of text from A. */
const SECTIONS = {
  queries: {
    name: 'query',
    heading: 'Query',
    one: 'query',
    columns: [
      ['hits', 'Hits', count],
      ['misses', 'Misses', count],
      ['bypasses', 'Bypasses', count],
      ['mean_database_micros', 'Mean at database', micros],
      ['saved_millis', 'Saved', millis],
      ['profit_micros_per_second', 'Profit a second', profit],
      ['entries', 'Results', count],
      ['size_bytes', 'Size', bytes],
    ],
    sort: 'saved_millis',
    filter: 'Filter by text or reason',
    none: 'No query yet.',
    question: 'Clear the results of this query?',
  },
  tables: {
    name: 'table_name',
    heading: 'Table',
    one: 'table',
    columns: [
      ['hits', 'Hits', count],
      ['misses', 'Misses', count],
      ['entries', 'Results', count],
      ['size_bytes', 'Size', bytes],
      ['invalidations', 'Invalidations', count],
      ['per_minute', 'Per minute', rate],
      ['writes_by_key', 'By key', count],
      ['writes_by_unknown_key', 'By unknown key', count],
      ['writes_by_table', 'By table', count],
      ['writers', 'Writing now', count],
    ],
    sort: 'hits',
    filter: 'Filter by name',
    none: 'No cached query has read a table yet.',
    question: 'Clear everything that read this table?',
  },
};

const view = { cache: null, tab: 'queries', live: true, state: null, changes: 0, invalidations: new Map(), unfolded: new Set() };
const byId = id => document.getElementById(id);

// ---- figures in words

function count(n) { return n == null ? '–' : Number(n).toLocaleString('en'); }
function percent(r) { return r == null ? '–' : (100 * r).toFixed(1) + ' %'; }
function micros(n) {
  return n == null ? '–' : n < 1000 ? n.toFixed(0) + ' µs' : (n / 1000).toFixed(n < 10000 ? 2 : 1) + ' ms';
}
function profit(n) { return n == null ? '–' : n < 0 ? '−' + micros(-n) : micros(n); }
function millis(n) {
  if (n == null) return '–';
  if (n < 1000) return n + ' ms';
  if (n < 60000) return (n / 1000).toFixed(1) + ' s';
  return n < 3600000 ? (n / 60000).toFixed(1) + ' min' : (n / 3600000).toFixed(1) + ' h';
}
function bytes(n) {
  if (n == null) return '–';
  const units = ['B', 'kB', 'MB', 'GB'];
  let i = 0;
  while (n >= 1024 && i < units.length - 1) { n /= 1024; i++; }
  return (i === 0 ? n : n.toFixed(1)) + ' ' + units[i];
}
function rate(n) { return n == null ? '–' : n < 10 ? n.toFixed(1) : count(Math.round(n)); }

// ---- the page

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === 'onclick') element.addEventListener('click', value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child != null));
  return element;
}

/* Text with names in backticks. */
function marked(text) {
  return text.split('`').map((part, i) => i % 2 ? make('code', {}, part) : part);
}

function say(problem) {
  byId('message').hidden = !problem;
  byId('message').textContent = problem || '';
}

async function get(path) {
  const response = await fetch(path, { credentials: 'same-origin', headers: { Accept: 'application/json' } });
  if (!response.ok || response.redirected) throw new Error(await refusal(response));
  return response.json();
}

async function post(path, parameters) {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: view.state.headers,
    body: new URLSearchParams(parameters),
  });
  if (!response.ok || response.redirected) throw new Error(await refusal(response));
}

async function refusal(response) {
  const text = await response.text();
  const plain = (response.headers.get('Content-Type') || '').startsWith('text/plain');
  return plain && text ? text
    : `The application answered ${response.status}${response.redirected ? ' with another page' : ''}. Load the page again.`;
}

// ---- reading

async function refresh() {
  const turn = ++view.changes;
  try {
    const state = await get('larder/state');
    if (turn !== view.changes) return;
    view.state = state;
    if (!state.caches.some(cache => cache.id === view.cache)) view.cache = busiest(state.caches);
    showState();
    await showTab();
    say(null);
  } catch (problem) {
    if (turn === view.changes) say(problem.message);
  }
}

function busiest(caches) {
  const asked = cache => cache.hits + cache.misses + cache.bypasses;
  return caches.length === 0 ? null : caches.reduce((best, next) => asked(next) > asked(best) ? next : best).id;
}

function current() { return view.state.caches.find(cache => cache.id === view.cache); }

function showState() {
  const { caches, writable } = view.state;
  const cache = current();
  const options = caches.map(each => make('option', { value: each.id, selected: each.id === view.cache },
    `${each.cache} (${each.database})`));
  byId('caches').hidden = caches.length < 2;
  if (document.activeElement !== byId('cache')) byId('cache').replaceChildren(...options);
  byId('state').textContent = !cache ? 'no cache yet' : cache.enabled ? 'on' : 'off';
  byId('state').className = 'chip ' + (cache && cache.enabled ? 'on' : 'off');
  byId('switch').hidden = byId('clear-all').hidden = !(writable && cache);
  if (!cache) {
    byId('feed').hidden = true;
    byId('tiles').replaceChildren(make('p', { class: 'empty' }, 'No connection has been opened through Larder yet.'));
    byId('chart').replaceChildren();
    return;
  }
  byId('switch').textContent = cache.enabled ? 'Switch off' : 'Switch on';
  const tile = (name, value) => make('div', { class: 'tile' }, make('b', {}, value), make('span', {}, name));
  const tileIfAny = (name, some) => some > 0 ? [tile(name, count(some))] : [];
  byId('tiles').replaceChildren(
    tile('hit ratio', percent(cache.hit_ratio)),
    tile('hits', count(cache.hits)),
    ...tileIfAny('of these outdated', cache.stale_hits),
    ...tileIfAny('of these without a connection', cache.unpooled_hits),
    tile('misses', count(cache.misses)),
    tile('bypasses', count(cache.bypasses)),
    tile('time saved', millis(cache.saved_millis)),
    tile('results', count(cache.entries)),
    tile('of ' + bytes(cache.max_bytes), bytes(cache.size_bytes)),
    tile('invalidations', count(cache.invalidations)),
    ...(cache.feed ? [tile('change feed', cache.feed), tile('commits followed', count(cache.feed_commits))] : []));
  showFeed(cache);
  byId('chart').replaceChildren(...chart(cache.history));
}

/* What keeps the feed from being live, and what to do about it. */
function showFeed(cache) {
  const because = cache.feed && cache.feed !== 'live' ? cache.feed_because : null;
  byId('feed').hidden = !because;
  byId('feed').replaceChildren(...(because ? [`The change feed is ${cache.feed}: ${because}`,
    make('span', { class: 'cure' }, ...marked(cache.feed_cure || ''))] : []));
}

function chart(history) {
  const points = [];
  for (let i = 1; i < history.length; i++) {
    const hits = history[i][1] - history[i - 1][1];
    const misses = history[i][2] - history[i - 1][2];
    if (hits >= 0 && misses >= 0 && hits + misses > 0) points.push([history[i][0], hits / (hits + misses)]);
  }
  if (points.length === 0) return [make('p', { class: 'empty' }, 'Nothing was asked in this time.')];
  const from = points[0][0];
  const until = Math.max(points[points.length - 1][0], from + 1);
  const height = ratio => (100 - 100 * ratio).toFixed(1);
  const line = points.length === 1
    ? `0,${height(points[0][1])} 600,${height(points[0][1])}`
    : points.map(([time, ratio]) => `${(600 * (time - from) / (until - from)).toFixed(1)},${height(ratio)}`).join(' ');
  const svg = (tag, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const last = points[points.length - 1][1];
  const picture = svg('svg', {
    viewBox: '0 -4 600 108', preserveAspectRatio: 'none', role: 'img',
    'aria-label': `Hit ratio, by ten seconds: ${percent(last)} in the last of them that had queries`,
  });
  for (const y of [0, 50, 100]) picture.append(svg('line', { class: 'grid', x1: 0, x2: 600, y1: y, y2: y }));
  picture.append(svg('polygon', { class: 'area', points: `0,100 ${line} 600,100` }));
  picture.append(svg('polyline', { class: 'ratio', points: line }));
  const clock = time => new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return [picture, make('div', { class: 'axis' }, make('span', {}, clock(from)),
    make('span', {}, 'lines at 0, 50 and 100 %'), make('span', {}, clock(until)))];
}

// ---- tables of rows

function buildSection(id) {
  const section = SECTIONS[id];
  section.order = 'descending';
  const search = make('input', { type: 'search', id: id + '-filter', autocomplete: 'off' });
  let waiting;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(showTab, DEBOUNCE);
  });
  const sorting = make('select', { id: id + '-sort' },
    make('option', { value: section.name }, section.heading),
    ...section.columns.filter(([column]) => column !== 'per_minute').map(([column, heading]) =>
      make('option', { value: column, selected: column === section.sort }, heading)));
  sorting.addEventListener('change', () => sortBy(id, sorting.value));
  const heads = [[section.name, section.heading], ...section.columns].map(([column, heading], i) =>
    make('th', { scope: 'col', class: i ? 'number' : null, 'data-column': column },
      column === 'per_minute' ? heading
        : make('button', { type: 'button', onclick: () => sortBy(id, column) }, heading)));
  heads.push(make('th', { scope: 'col', class: 'act-head' }));
  byId(id).replaceChildren(
    make('div', { class: 'tools' },
      make('label', { for: id + '-filter' }, make('span', {}, 'Filter'), search),
      make('label', { class: 'sorting', for: id + '-sort' }, make('span', {}, 'Sort by'), sorting),
      make('span', { class: 'quiet', id: id + '-found', role: 'status' })),
    make('table', { class: 'rows' }, make('thead', {}, make('tr', {}, ...heads)), make('tbody', {})));
  search.placeholder = section.filter;
}

function sortBy(id, column) {
  const section = SECTIONS[id];
  section.order = section.sort === column && section.order === 'descending' ? 'ascending' : 'descending';
  if (column === section.name && section.sort !== column) section.order = 'ascending';
  section.sort = column;
  byId(id + '-sort').value = column;
  showTab();
}

async function showRows(id) {
  const section = SECTIONS[id];
  for (const head of byId(id).querySelectorAll('th[data-column]')) {
    if (head.dataset.column === section.sort) head.setAttribute('aria-sort', section.order);
    else head.removeAttribute('aria-sort');
  }
  const words = byId(id + '-filter').value;
  const turn = section.turn = (section.turn || 0) + 1;
  const { rows, found, cures } = await get('larder/rows/' + id + '?' + new URLSearchParams(
    { cache: view.cache, sort: section.sort, order: section.order, words, limit: LIMIT }));
  if (turn !== section.turn) return;
  const body = byId(id).querySelector('tbody');
  byId(id + '-found').textContent = 
    `${found > rows.length ? `the first ${rows.length} of ` : ''}${count(found)} ${found === 1 ? section.one : id}`;
  const held = body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  if (id === 'tables') rows.forEach(countPerMinute);
  body.replaceChildren(...rows.map(row => rowOf(id, row, cures)));
  body.querySelectorAll('.sql').forEach(fold);
  if (rows.length === 0) {
    body.append(make('tr', {}, make('td', { colspan: section.columns.length + 2, class: 'empty' },
      words ? 'Nothing matches the filter.' : section.none)));
  }
  if (held) {
    const again = [...body.querySelectorAll('button')].find(button => button.dataset.key === held);
    if (again) again.focus();
  }
}

/* Invalidations since the page first saw the table. */
function countPerMinute(row) {
  const key = view.cache + ' ' + row.table_name;
  const now = Date.now();
  const first = view.invalidations.get(key);
  if (!first || first.count > row.invalidations) {
    view.invalidations.set(key, { time: now, count: row.invalidations });
  } else if (now - first.time > 1000) {
    row.per_minute = (row.invalidations - first.count) / ((now - first.time) / 60000);
  }
}

function rowOf(id, row, cures) {
  const section = SECTIONS[id];
  const name = row[section.name];
  const cells = [make('td', {}, make('span', { class: 'sql' }, name),
    row.bypass_reason ? make('p', { class: 'why' }, (row.hits ? 'Not always cached, the last time because ' : 'Not cached because ')
      + row.bypass_reason + '.',
      make('span', { class: 'cure' }, ...marked(cures[row.bypass_reason] || ''))) : null,
    row.admission && row.hits + row.misses > 0 ? make('p', { class: 'why' }, admission(row)) : null,
    row.depends_on ? make('p', { class: 'why' }, 'Depends on ' + row.depends_on + '.',
      make('span', { class: 'cure' }, ...marked(row.wider_because || ''))) : null,
    row.schemes ? make('p', { class: 'why' }, 'Rows are told apart by ' + row.schemes + '.') : null,
    row.feed ? make('p', { class: 'why' }, row.feed === 'covered' ? 'The change feed covers it.'
      : row.feed === 'unknown' ? 'It is not known yet whether the change feed covers it.'
        : `The change feed does not cover it: ${row.feed}.`,
      row.feed_cure ? make('span', { class: 'cure' }, make('code', {}, row.feed_cure)) : null) : null)];
  for (const [column, heading, shown] of section.columns) {
    cells.push(make('td', { class: 'number', 'data-label': heading }, shown(row[column])));
  }
  cells.push(make('td', { class: 'act' }, view.state.writable && (row.entries > 0 || id === 'tables')
    ? make('button', { type: 'button', class: 'danger', 'data-key': name, 'aria-label': 'Clear ' + name,
      onclick: () => ask(section.question, name, 'Clear', () => post('larder/clear',
        id === 'tables' ? { table: name, cache: view.cache } : { query: name, cache: view.cache })) }, 'Clear')
    : null));
  return make('tr', {}, ...cells);
}

/* Whether a query pays, and by which numbers. */
function admission(row) {
  const state = row.admission === 'probed' ? 'Probed: most executions are not looked up, because that does not pay' : 'Admitted';
  return state + (row.profit_because ? '. In the last window, ' + row.profit_because : '') + '.';
}

/* A long text shows its first lines, and all of it once that was asked for. */
function fold(text) {
  const name = text.textContent;
  const unfolded = view.unfolded.has(name);
  text.classList.toggle('folded', !unfolded);
  if (!unfolded && text.scrollHeight <= text.clientHeight) return;
  text.after(make('button', { type: 'button', class: 'more', 'data-key': 'more ' + name, 'aria-expanded': String(unfolded),
    onclick: () => {
      if (unfolded) view.unfolded.delete(name);
      else view.unfolded.add(name);
      showTab();
    } }, unfolded ? 'Show less' : 'Show all'));
}

function showReasons() {
  const { reasons } = current();
  const rows = reasons.map(each => make('tr', {},
    make('td', {}, 'Not cached because ' + each.reason + '.', make('p', { class: 'why' },
      make('span', { class: 'cure' }, ...marked(each.cure)))),
    make('td', { class: 'number', 'data-label': 'Executions' }, count(each.count))));
  byId('reasons').replaceChildren(rows.length === 0
    ? make('p', { class: 'empty' }, 'Everything that was asked could be cached.')
    : make('table', { class: 'rows' }, make('thead', {}, make('tr', {},
      make('th', { scope: 'col' }, 'Reason, and what to do about it'),
      make('th', { scope: 'col', class: 'number' }, 'Executions'))), make('tbody', {}, ...rows)));
}

function showSettings() {
  byId('settings').replaceChildren(make('dl', {}, ...Object.entries(current().settings)
    .flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])));
}

async function showTab() {
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    const selected = tab.id === 'tab-' + view.tab;
    tab.setAttribute('aria-selected', selected);
    tab.tabIndex = selected ? 0 : -1;
    byId(tab.getAttribute('aria-controls')).hidden = !selected;
  }
  if (!view.state || !current()) return;
  try {
    if (view.tab === 'reasons') showReasons();
    else if (view.tab === 'settings') showSettings();
    else await showRows(view.tab);
  } catch (problem) {
    say(problem.message);
  }
}

// ---- changing

function ask(question, consequence, verb, act) {
  byId('question').textContent = question;
  byId('consequence').textContent = consequence;
  byId('yes').textContent = verb;
  byId('yes').onclick = async () => {
    byId('confirm').close();
    try {
      await act();
      await refresh();
    } catch (problem) {
      say(problem.message);
    }
  };
  byId('confirm').showModal();
  byId('no').focus();
}

// ---- the start

document.addEventListener('DOMContentLoaded', () => {
  Object.keys(SECTIONS).forEach(buildSection);
  byId('no').addEventListener('click', () => byId('confirm').close());
  byId('cache').addEventListener('change', event => { view.cache = event.target.value; refresh(); });
  byId('live').addEventListener('click', () => {
    view.live = !view.live;
    byId('live').setAttribute('aria-pressed', view.live);
    if (view.live) refresh();
  });
  byId('switch').addEventListener('click', () => {
    const on = !current().enabled;
    const act = () => post('larder/enabled', { enabled: on, cache: view.cache });
    if (on) act().then(refresh, problem => say(problem.message));
    else ask('Switch the cache off?', 'Every query then goes to the database. Writes go on to invalidate, so that it can be'
      + ' switched on again at any time.', 'Switch off', act);
  });
  byId('clear-all').addEventListener('click', () => ask('Clear everything?',
    'Every query goes to the database once more.', 'Clear everything',
    () => post('larder/clear', { cache: view.cache })));
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  tabs.forEach((tab, i) => {
    const choose = other => { view.tab = other.getAttribute('aria-controls'); showTab(); other.focus(); };
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) choose(tabs[(i + step + tabs.length) % tabs.length]);
    });
  });
  refresh();
  setInterval(() => { if (view.live && !document.hidden) refresh(); }, PERIOD);
});
