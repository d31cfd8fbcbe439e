## audit: a row of the log for each operation
create function audit() returns trigger language plpgsql as $$
begin
  if TG_OP = 'INSERT' then
    insert into item_log (item_id, op, new_row) values (new.id, TG_OP, to_jsonb(new));
    return new;
  elsif TG_OP = 'UPDATE' then
    insert into item_log (item_id, op, old_row, new_row) values (new.id, TG_OP, to_jsonb(old), to_jsonb(new));
    return new;
  else
    insert into item_log (item_id, op, old_row) values (old.id, TG_OP, to_jsonb(old));
    return old;
  end if;
end $$;
create trigger audit after insert or update or delete on item for each row execute function audit();
-- run
update item set qty = 9 where id = 1;
insert into item (id, name) values (6, 'new');
delete from item where id = 5;
## audit: by CASE
create function audit() returns trigger language plpgsql as $$
begin
  case TG_OP
    when 'DELETE' then insert into item_log (item_id, op, old_row) values (old.id, 'D', to_jsonb(old));
    when 'UPDATE' then insert into item_log (item_id, op, old_row, new_row) values (new.id, 'U', to_jsonb(old), to_jsonb(new));
    else insert into item_log (item_id, op, new_row) values (new.id, 'I', to_jsonb(new));
  end case;
  return null;
end $$;
create trigger audit after insert or update or delete on item for each row execute function audit();
-- run
update item set name = 'x' where id = 2;
## audit: the fields that differ
create function audit() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  select jsonb_object_agg(n.key, n.value) into changed
    from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o on o.key = n.key
    where n.value is distinct from o.value;
  if changed is not null then
    insert into item_log (item_id, op, new_row) values (new.id, 'diff', changed);
  end if;
  return new;
end $$;
create trigger audit after update on item for each row execute function audit();
-- run
update item set qty = 8 where id = 3;
## audit: only what is distinct
create function audit() returns trigger language plpgsql as $$
begin
  if new is distinct from old then
    insert into item_log (item_id, op) values (new.id, 'changed');
  end if;
  return new;
end $$;
create trigger audit after update on item for each row execute function audit();
-- run
update item set qty = qty where id = 3;
update item set qty = qty + 1 where id = 3;
## audit: a condition of the trigger's own
create function audit() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op, old_row, new_row) values (new.id, 'price', to_jsonb(old.price), to_jsonb(new.price));
  return new;
end $$;
create trigger audit after update on item for each row when (old.price is distinct from new.price) execute function audit();
-- run
update item set price = 7 where id = 1;
## audit: who and from where
create function audit() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op, who)
    values (coalesce(new.id, old.id), TG_OP, current_user || ' ' || session_user || ' ' || coalesce(inet_client_addr()::text, '') || ' ' || txid_current());
  return coalesce(new, old);
end $$;
create trigger audit after insert or update or delete on item for each row execute function audit();
-- run
delete from item where id = 4;
## audit: the user of the application, from a setting
create function audit() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op, who) values (new.id, TG_OP, coalesce(nullif(current_setting('app.user', true), ''), 'nobody'));
  return new;
end $$;
create trigger audit after insert or update on item for each row execute function audit();
-- run
update item set qty = 7 where id = 2;
## audit: as the owner, with a path of its own
create function audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into item_log (item_id, op, who) values (new.id, TG_OP, session_user);
  return new;
end $$;
create trigger audit after insert or update on item for each row execute function audit();
-- run
update item set qty = 7 where id = 2;
## audit: as the owner, with names in full
create function audit() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.item_log (item_id, op, who) values (new.id, TG_OP, session_user);
  return new;
end $$;
create trigger audit after insert or update on item for each row execute function audit();
-- run
update item set qty = 7 where id = 2;
## audit: one function for several tables, the name as data
create function audit() returns trigger language plpgsql as $$
begin
  insert into outbox (topic, payload) values (TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME, jsonb_build_object('op', TG_OP, 'row', to_jsonb(coalesce(new, old))));
  return coalesce(new, old);
end $$;
create trigger audit after insert or update or delete on item for each row execute function audit();
create trigger audit after insert or update or delete on orders for each row execute function audit();
-- run
update item set qty = 7 where id = 2;
update orders set status = 'paid' where id = 1;
## audit: one function, the name of the log is made of the table's
create function audit() returns trigger language plpgsql as $$
begin
  execute format('insert into %I (item_id, op, new_row) values ($1, $2, $3)', TG_TABLE_NAME || '_log') using new.id, TG_OP, to_jsonb(new);
  return new;
end $$;
create trigger audit after update on item for each row execute function audit();
-- run
update item set qty = 7 where id = 2;
## audit: a row is filled and inserted (wiki of PostgreSQL)
create function audit() returns trigger language plpgsql as $$
declare
  entry item_log;
begin
  entry.item_id = coalesce(new.id, old.id);
  entry.op = substring(TG_OP, 1, 1);
  entry.at = current_timestamp;
  if TG_OP = 'UPDATE' and TG_LEVEL = 'ROW' then
    entry.old_row = to_jsonb(old);
    entry.new_row = to_jsonb(new) - 'updated_at';
  elsif TG_OP = 'DELETE' and TG_LEVEL = 'ROW' then
    entry.old_row = to_jsonb(old);
  elsif TG_OP = 'INSERT' and TG_LEVEL = 'ROW' then
    entry.new_row = to_jsonb(new);
  else
    raise exception 'added for % at level %', TG_OP, TG_LEVEL;
  end if;
  insert into item_log (item_id, op, old_row, new_row, at) values (entry.item_id, entry.op, entry.old_row, entry.new_row, entry.at);
  return null;
end $$;
create trigger audit after insert or update or delete on item for each row execute function audit();
-- run
update item set qty = 7 where id = 2;
## audit: by transition tables
create function audit() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op, old_row, new_row)
    select n.id, 'U', to_jsonb(o), to_jsonb(n) from old_items o join new_items n using (id);
  return null;
end $$;
create trigger audit after update on item referencing old table as old_items new table as new_items for each statement execute function audit();
-- run
update item set qty = qty + 1 where category_id = 2;
## audit: a statement at a time
create function audit() returns trigger language plpgsql as $$
begin
  insert into item_log (op, who) values (TG_OP || ' of ' || TG_TABLE_NAME, current_user);
  return null;
end $$;
create trigger audit after insert or update or delete or truncate on item for each statement execute function audit();
-- run
update item set qty = 7 where id = 77;
## audit: TRUNCATE
create function audit() returns trigger language plpgsql as $$
begin
  insert into item_log (op) values ('truncated');
  return null;
end $$;
create trigger audit before truncate on item_history for each statement execute function audit();
-- run
truncate item_history;
## stamp: updated_at
create function touch() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  return new;
end $$;
create trigger touch before update on item for each row execute function touch();
-- run
update item set qty = 7 where id = 2;
## stamp: updated_at, only where something changes
create function touch() returns trigger language plpgsql as $$
begin
  if row(new.*) is distinct from row(old.*) then
    new.updated_at := clock_timestamp();
  else
    return old;
  end if;
  return new;
end $$;
create trigger touch before update on item for each row execute function touch();
-- run
update item set qty = 7 where id = 2;
## stamp: who
create function touch() returns trigger language plpgsql as $$
begin
  new.updated_by := current_user;
  new.updated_at := current_timestamp;
  return new;
end $$;
create trigger touch before insert or update on item for each row execute function touch();
-- run
insert into item (id, name) values (6, 'six');
## stamp: a version
create function bump() returns trigger language plpgsql as $$
begin
  if TG_OP = 'UPDATE' and new.version is distinct from old.version then
    raise exception 'stale';
  end if;
  new.version := coalesce(old.version, 0) + 1;
  return new;
end $$;
create trigger bump before update on item for each row execute function bump();
-- run
update item set qty = 7 where id = 2;
## stamp: what is never to change
create function keep() returns trigger language plpgsql as $$
begin
  new.category_id := old.category_id;
  return new;
end $$;
create trigger keep before update on item for each row execute function keep();
-- run
update item set category_id = 3, qty = 7 where id = 2;
## normalize: an address in small letters
create function small() returns trigger language plpgsql as $$
begin
  new.email := lower(trim(new.email));
  return new;
end $$;
create trigger small before insert or update of email on customer for each row execute function small();
-- run
update customer set email = ' ANN@EXAMPLE.ORG' where id = 1;
## normalize: a slug
create function slug() returns trigger language plpgsql as $$
declare
  base text := lower(regexp_replace(new.name, '[^a-zA-Z0-9]+', '-', 'g'));
  n int := 1;
begin
  new.status := base;
  while exists (select 1 from item where status = new.status and id <> new.id) loop
    n := n + 1;
    new.status := base || '-' || n;
  end loop;
  return new;
end $$;
create trigger slug before insert on item for each row execute function slug();
-- run
insert into item (id, name) values (7, 'Big Cup!');
insert into item (id, name) values (8, 'Big Cup?');
## normalize: a default from another table
create function fill() returns trigger language plpgsql as $$
begin
  if new.item_name is null then
    select name into new.item_name from item where id = new.item_id;
  end if;
  return new;
end $$;
create trigger fill before insert on line for each row execute function fill();
-- run
insert into line (id, order_id, item_id, qty) values (9, 1, 4, 1);
## check: no negative stock
create function positive() returns trigger language plpgsql as $$
begin
  if new.qty < 0 then
    raise exception 'stock of % would be %', new.name, new.qty using errcode = 'check_violation', hint = 'order less';
  end if;
  return new;
end $$;
create trigger positive before insert or update on item for each row execute function positive();
-- run
update item set qty = 0 where id = 1;
## check: not while it is referred to
create function unused() returns trigger language plpgsql as $$
begin
  if exists (select 1 from line where item_id = old.id) then
    raise exception 'item % is ordered', old.id;
  end if;
  return old;
end $$;
create trigger unused before delete on item for each row execute function unused();
-- run
delete from item where id = 5;
## check: how many a customer may have
create function few() returns trigger language plpgsql as $$
declare
  n int;
begin
  select count(*) into n from orders where customer_id = new.customer_id and status = 'open';
  if n >= 10 then
    raise exception 'customer % has % open orders', new.customer_id, n;
  end if;
  return new;
end $$;
create trigger few before insert on orders for each row execute function few();
-- run
insert into orders (id, customer_id) values (7, 3);
## check: a state machine
create function steps() returns trigger language plpgsql as $$
begin
  if not ((old.status, new.status) in (('open', 'paid'), ('paid', 'sent'))) then
    raise exception 'no way from % to %', old.status, new.status;
  end if;
  return new;
end $$;
create trigger steps before update of status on orders for each row when (old.status is distinct from new.status) execute function steps();
-- run
update orders set status = 'paid' where id = 1;
## check: rows that are not to be deleted (pgtrigger: protect)
create function protect() returns trigger language plpgsql as $$
begin
  raise exception 'cannot delete rows from % table', TG_TABLE_NAME;
end $$;
create trigger protect before delete on customer for each row execute function protect();
-- run
update customer set balance = 3 where id = 3;
## check: columns that are read only (pgtrigger: read only)
create function frozen() returns trigger language plpgsql as $$
begin
  if new.id is distinct from old.id or new.customer_id is distinct from old.customer_id then
    raise exception 'read only';
  end if;
  return new;
end $$;
create trigger frozen before update on orders for each row execute function frozen();
-- run
update orders set total = 11 where id = 1;
## check: writes are ignored
create function ignore() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger ignore before update on stats for each row execute function ignore();
-- run
update stats set n = 0;
## delete: marks the row (pgtrigger: soft delete)
create function mark() returns trigger language plpgsql as $$
begin
  update item set status = 'deleted' where id = old.id;
  return null;
end $$;
create trigger mark before delete on item for each row execute function mark();
-- run
delete from item where id = 5;
## delete: moves the row to an archive
create function archive() returns trigger language plpgsql as $$
begin
  insert into item_history (item_id, name, qty, valid_to) select old.id, old.name, old.qty, now();
  return old;
end $$;
create trigger archive before delete on item for each row execute function archive();
-- run
delete from item where id = 5;
## count: of rows in the parent
create function count_items() returns trigger language plpgsql as $$
begin
  if TG_OP in ('UPDATE', 'DELETE') then
    update category set items = items - 1 where id = old.category_id;
  end if;
  if TG_OP in ('UPDATE', 'INSERT') then
    update category set items = items + 1 where id = new.category_id;
  end if;
  return null;
end $$;
create trigger count_items after insert or update of category_id or delete on item for each row execute function count_items();
-- run
update item set category_id = 3 where id = 1;
## count: by an upsert
create function count_all() returns trigger language plpgsql as $$
begin
  insert into stats as s values (TG_TABLE_NAME || ' ' || lower(TG_OP), 1) on conflict (name) do update set n = s.n + 1;
  return null;
end $$;
create trigger count_all after insert or update or delete on item for each row execute function count_all();
-- run
update item set qty = 7 where id = 1;
update item set qty = 8 where id = 1;
## count: a balance
create function pay() returns trigger language plpgsql as $$
declare
  delta numeric;
begin
  delta := coalesce(new.total, 0) - coalesce(old.total, 0);
  update customer set balance = balance - delta where id = coalesce(new.customer_id, old.customer_id);
  return null;
end $$;
create trigger pay after insert or update or delete on orders for each row execute function pay();
-- run
update orders set total = 13 where id = 1;
## count: a total over the lines
create function total() returns trigger language plpgsql as $$
declare
  o int := coalesce(new.order_id, old.order_id);
begin
  update orders set total = (select coalesce(sum(l.qty * i.price), 0) from line l join item i on i.id = l.item_id where l.order_id = o)
    where id = o;
  return null;
end $$;
create trigger total after insert or update or delete on line for each row execute function total();
-- run
update line set qty = 5 where id = 1;
## count: a copy of a name
create function copy_name() returns trigger language plpgsql as $$
begin
  if new.name <> old.name then
    update line set item_name = new.name where item_id = new.id;
  end if;
  return new;
end $$;
create trigger copy_name after update of name on item for each row execute function copy_name();
-- run
update item set name = 'goblet' where id = 1;
## count: by statement, from a transition table
create function count_new() returns trigger language plpgsql as $$
begin
  update category c set items = c.items + n.n from (select category_id, count(*) as n from added group by category_id) n where n.category_id = c.id;
  return null;
end $$;
create trigger count_new after insert on item referencing new table as added for each statement execute function count_new();
-- run
insert into item (id, name, category_id) values (11, 'a', 2), (12, 'b', 3);
## event: an outbox
create function event() returns trigger language plpgsql as $$
begin
  insert into outbox (topic, payload) values ('order.' || new.status, jsonb_build_object('id', new.id, 'total', new.total, 'at', extract(epoch from now())));
  return new;
end $$;
create trigger event after insert or update on orders for each row execute function event();
-- run
update orders set status = 'sent' where id = 3;
## event: NOTIFY
create function tell() returns trigger language plpgsql as $$
begin
  perform pg_notify('items', json_build_object('table', TG_TABLE_NAME, 'id', new.id)::text);
  return new;
end $$;
create trigger tell after insert or update on item for each row execute function tell();
-- run
update item set qty = 6 where id = 1;
## event: NOTIFY as a statement
create function tell() returns trigger language plpgsql as $$
begin
  notify items, 'changed';
  return null;
end $$;
create trigger tell after insert or update on item for each statement execute function tell();
-- run
update item set qty = 6 where id = 1;
## event: NOTIFY to a channel of an argument
create function tell() returns trigger language plpgsql as $$
declare
  channel text := TG_ARGV[0];
begin
  perform pg_notify(channel, row_to_json(new)::text);
  return new;
end $$;
create trigger tell after insert or update on item for each row execute function tell('item_changes');
-- run
update item set qty = 6 where id = 1;
## temporal: the old version is closed, a new one begins
create function version() returns trigger language plpgsql as $$
begin
  if TG_OP <> 'INSERT' then
    update item_history set valid_to = now() where item_id = old.id and valid_to is null;
  end if;
  if TG_OP <> 'DELETE' then
    insert into item_history (item_id, name, qty, valid_from) values (new.id, new.name, new.qty, now());
  end if;
  return null;
end $$;
create trigger version after insert or update or delete on item for each row execute function version();
-- run
update item set qty = 6 where id = 1;
update item set qty = 5 where id = 1;
## temporal: one function, names from the trigger's arguments
create function versioning() returns trigger language plpgsql as $$
declare
  history text := TG_ARGV[0];
begin
  execute 'insert into ' || quote_ident(history) || ' (item_id, name, qty, valid_to) select $1.id, $1.name, $1.qty, now()' using old;
  return new;
end $$;
create trigger versioning before update or delete on item for each row execute function versioning('item_history');
-- run
update item set qty = 6 where id = 1;
## temporal: an event with a context (pghistory)
create function context() returns text language plpgsql as $$
declare
  id text := current_setting('history.context', true);
begin
  if id is null or id = '' then
    return null;
  end if;
  insert into stats values (id, 1) on conflict do nothing;
  return id;
end $$;
create function record_event() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op, who, at) values (new.id, 'snapshot', context(), now());
  return null;
end $$;
create trigger record_event after update on item for each row when (old.* is distinct from new.*) execute function record_event();
-- run
update item set qty = 6 where id = 1;
## partitions by hand
create table item_log_a (like item_log);
create table item_log_b (like item_log);
create function route() returns trigger language plpgsql as $$
begin
  if new.item_id % 2 = 0 then
    insert into item_log_a values (new.*);
  else
    insert into item_log_b values (new.*);
  end if;
  return null;
end $$;
create trigger route before insert on item_log for each row execute function route();
-- run
insert into item_log (item_id, op) values (2, 'even');
## queue: with an advisory lock
create function enqueue() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('queue'));
  insert into outbox (topic, payload) values ('job', to_jsonb(new.id));
  return new;
end $$;
create trigger enqueue after insert on orders for each row execute function enqueue();
-- run
insert into orders (id, customer_id) values (8, 2);
## loop: over a query
create function explode() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in select id, qty from line where order_id = new.id loop
    insert into outbox (topic, payload) values ('line', to_jsonb(r.qty));
  end loop;
  return null;
end $$;
create trigger explode after update of status on orders for each row execute function explode();
-- run
update orders set status = 'sent' where id = 1;
## loop: over numbers
create function slots() returns trigger language plpgsql as $$
begin
  for i in 1 .. least(new.qty, 3) loop
    insert into item_log (item_id, op) values (new.id, 'slot ' || i);
  end loop;
  return null;
end $$;
create trigger slots after insert on item for each row execute function slots();
-- run
insert into item (id, qty) values (20, 3);
## loop: WHILE
create function halve() returns trigger language plpgsql as $$
declare
  n int := new.qty;
begin
  while n > 1 loop
    n := n / 2;
    update stats set n = stats.n + 1 where name = 'items';
  end loop;
  return null;
exception when others then
  raise;
end $$;
create trigger halve after insert on item for each row execute function halve();
-- run
insert into item (id, qty) values (20, 1);
## loop: FOREACH over an array
create function tags() returns trigger language plpgsql as $$
declare
  tag text;
begin
  foreach tag in array string_to_array(new.status, ',') loop
    insert into stats values (tag, 1) on conflict (name) do update set n = stats.n + 1;
  end loop;
  return new;
end $$;
create trigger tags after insert or update of status on item for each row execute function tags();
-- run
update item set status = 'red,blue' where id = 1;
## loop: until EXIT
create function climb() returns trigger language plpgsql as $$
declare
  c int := new.category_id;
begin
  loop
    exit when c is null;
    update category set items = items + 1 where id = c;
    select parent into c from category where id = c;
  end loop;
  return new;
end $$;
create trigger climb after insert on item for each row execute function climb();
-- run
insert into item (id, category_id) values (21, 3);
## block: exceptions
create function upsert() returns trigger language plpgsql as $$
begin
  begin
    insert into stats values ('orders', 1);
  exception when unique_violation then
    update stats set n = n + 1 where name = 'orders';
  end;
  return new;
end $$;
create trigger upsert after insert on orders for each row execute function upsert();
-- run
insert into orders (id) values (30);
## block: FOUND and row counts
create function upsert() returns trigger language plpgsql as $$
declare
  rows int;
begin
  update stats set n = n + 1 where name = 'orders';
  get diagnostics rows = row_count;
  if rows = 0 or not found then
    insert into stats values ('orders', 1);
  end if;
  return new;
end $$;
create trigger upsert after insert on orders for each row execute function upsert();
-- run
insert into orders (id) values (30);
## block: ASSERT and NOTICE
create function loud() returns trigger language plpgsql as $$
begin
  assert new.id > 0, 'an id is positive';
  raise notice 'item % of %', new.id, TG_RELNAME;
  raise debug using message = 'quiet';
  return new;
end $$;
create trigger loud before insert or update on item for each row execute function loud();
-- run
update item set qty = 3 where id = 1;
## block: variables of a row's type
create function rows() returns trigger language plpgsql as $$
declare
  c category%rowtype;
  n item.name%type;
  limits constant int not null := 10;
  o alias for old;
begin
  select * into c from category where id = new.category_id;
  n := coalesce(c.name, 'none');
  if c.items < limits and o.id = new.id then
    insert into item_log (item_id, op, who) values (new.id, 'row', n);
  end if;
  return new;
end $$;
create trigger rows after update on item for each row execute function rows();
-- run
update item set qty = 3 where id = 1;
## block: labels and nesting
create function nested() returns trigger language plpgsql as $$
<<outermost>>
declare
  n int := 1;
begin
  <<walk>>
  for r in 1 .. 2 loop
    declare
      n int := outermost.n + r;
    begin
      continue walk when n = 2;
      insert into item_log (item_id, op) values (new.id, n::text);
    end;
  end loop walk;
  return new;
end $$;
create trigger nested after update on item for each row execute function nested();
-- run
update item set qty = 3 where id = 1;
## block: comments, and texts that look like code
create function comments() returns trigger language plpgsql as $$
begin
  -- execute 'delete from far';
  /* insert into far values (3); /* nested */ truncate far; */
  insert into item_log (item_id, op) values (new.id, 'execute; delete from far');
  return new; -- done
end $$;
create trigger comments after update on item for each row execute function comments();
-- run
update item set qty = 3 where id = 1;
## call: a function of one's own that writes
create function log_it(what text, id int) returns void language plpgsql as $$
begin
  insert into item_log (item_id, op) values (log_it.id, what);
end $$;
create function calls() returns trigger language plpgsql as $$
begin
  perform log_it(TG_OP, new.id);
  return new;
end $$;
create trigger calls after update on item for each row execute function calls();
-- run
update item set qty = 3 where id = 1;
## call: a function of one's own that computes
create function gross(net numeric) returns numeric language plpgsql immutable as $$
begin
  return round(net * 1.19, 2);
end $$;
create function calls() returns trigger language plpgsql as $$
begin
  new.price := gross(new.price);
  return new;
end $$;
create trigger calls before insert on item for each row execute function calls();
-- run
insert into item (id, price) values (31, 10);
## call: a function in SQL that writes
create function log_it(what text, item int) returns bigint language sql as $$
  insert into item_log (item_id, op) values (item, what) returning id::bigint
$$;
create function calls() returns trigger language plpgsql as $$
declare
  made bigint;
begin
  made := log_it('sql', new.id);
  return new;
end $$;
create trigger calls after update on item for each row execute function calls();
-- run
update item set qty = 3 where id = 1;
## call: a function in SQL with the standard's body
create function log_it(what text, item int) returns int language sql
begin atomic
  insert into item_log (item_id, op) values (item, what) returning id;
end;
create function calls() returns trigger language plpgsql as $$
begin
  perform log_it('atomic', new.id);
  return new;
end $$;
create trigger calls after update on item for each row execute function calls();
-- run
update item set qty = 3 where id = 1;
## call: a procedure
create procedure log_it(what text, item int) language plpgsql as $$
begin
  insert into item_log (item_id, op) values (item, what);
end $$;
create function calls() returns trigger language plpgsql as $$
begin
  call log_it('procedure', new.id);
  return new;
end $$;
create trigger calls after update on item for each row execute function calls();
-- run
update item set qty = 3 where id = 1;
## recursion: up a tree
create function up() returns trigger language plpgsql as $$
begin
  if new.parent is not null then
    update category set items = items + (new.items - old.items) where id = new.parent;
  end if;
  return null;
end $$;
create trigger up after update of items on category for each row execute function up();
-- run
update category set items = 10 where id = 3;
## recursion: bounded by the depth
create function once() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() = 1 then
    update item set version = version + 1 where category_id = new.category_id and id <> new.id;
  end if;
  return null;
end $$;
create trigger once after update on item for each row execute function once();
-- run
update item set qty = 3 where id = 1;
## view: INSTEAD OF INSERT
create view cups as select id, name from item where category_id = 2;
create function into_item() returns trigger language plpgsql as $$
begin
  insert into item (id, name, category_id) values (new.id, new.name, 2);
  return new;
end $$;
create trigger into_item instead of insert on cups for each row execute function into_item();
-- run
insert into cups values (40, 'tiny cup');
## view: INSTEAD OF UPDATE and DELETE
create view named as select i.id, i.name, c.name as category from item i join category c on c.id = i.category_id;
create function through() returns trigger language plpgsql as $$
begin
  if TG_OP = 'DELETE' then
    delete from item where id = old.id;
    return old;
  end if;
  update item set name = new.name where id = old.id;
  update category set name = new.category where name = old.category;
  return new;
end $$;
create trigger through instead of update or delete on named for each row execute function through();
-- run
update named set name = 'x', category = 'y' where id = 1;
## constraint: at COMMIT, a check
create function balanced() returns trigger language plpgsql as $$
begin
  if (select sum(balance) from customer) < 0 then
    raise exception 'not balanced';
  end if;
  return null;
end $$;
create constraint trigger balanced after update on customer deferrable initially deferred for each row execute function balanced();
-- run
update customer set balance = 5 where id = 1;
## constraint: at COMMIT, a write
create function late() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op) values (new.id, 'at commit');
  return null;
end $$;
create constraint trigger late after update on item deferrable initially deferred for each row execute function late();
-- run
update item set qty = 3 where id = 1;
## event not met: another column
create function priced() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op) values (new.id, 'price');
  return null;
end $$;
create trigger priced after update of price on item for each row execute function priced();
-- run
update item set qty = 3 where id = 1;
## event not met: disabled
create function dynamic() returns trigger language plpgsql as $$
begin
  execute TG_ARGV[0];
  return null;
end $$;
create trigger dynamic after update on item for each row execute function dynamic('select 1');
alter table item disable trigger dynamic;
-- run
update item set qty = 3 where id = 1;
## arguments as data
create function labelled() returns trigger language plpgsql as $$
begin
  insert into item_log (item_id, op) values (new.id, TG_ARGV[0] || ' of ' || TG_NARGS);
  return null;
end $$;
create trigger labelled after update on item for each row execute function labelled('first', 'second');
-- run
update item set qty = 3 where id = 1;
## dynamic: a constant
create function constant() returns trigger language plpgsql as $$
begin
  execute 'update stats set n = n + 1 where name = ''items''';
  return null;
end $$;
create trigger constant after update on item for each row execute function constant();
-- run
update item set qty = 3 where id = 1;
## dynamic: a constant with values
create function constant() returns trigger language plpgsql as $$
begin
  execute 'insert into item_log (item_id, op) values ($1, $2)' using new.id, 'dynamic';
  return null;
end $$;
create trigger constant after update on item for each row execute function constant();
-- run
update item set qty = 3 where id = 1;
## dynamic: format over the trigger's own names
create function history() returns trigger language plpgsql as $$
begin
  execute format('insert into %I.%I (item_id, name, qty, valid_to) values ($1.id, $1.name, $1.qty, now())', TG_TABLE_SCHEMA, TG_TABLE_NAME || '_history') using old;
  return old;
end $$;
create trigger history before delete on item for each row execute function history();
-- run
delete from item where id = 5;
## dynamic: a column by the trigger's argument
create function pick() returns trigger language plpgsql as $$
declare
  v text;
begin
  execute format('select ($1).%I::text', TG_ARGV[0]) into v using new;
  insert into item_log (item_id, op) values (new.id, v);
  return new;
end $$;
create trigger pick after update on item for each row execute function pick('name');
-- run
update item set qty = 3 where id = 1;
## write: MERGE
create function merged() returns trigger language plpgsql as $$
begin
  merge into stats s using (select new.name as name) n on s.name = n.name
    when matched then update set n = s.n + 1
    when not matched then insert values (n.name, 1);
  return null;
end $$;
create trigger merged after insert or update on item for each row execute function merged();
-- run
update item set qty = 3 where id = 1;
## write: WITH
create function chain() returns trigger language plpgsql as $$
begin
  with logged as (
    insert into item_log (item_id, op) values (new.id, 'with') returning item_id
  ), counted as (
    update stats set n = n + 1 where name = 'items' returning name
  )
  insert into outbox (topic, payload) select 'chain', to_jsonb(item_id) from logged;
  return null;
end $$;
create trigger chain after update on item for each row execute function chain();
-- run
update item set qty = 3 where id = 1;
## write: retention
create function retain() returns trigger language plpgsql as $$
begin
  delete from item_log where at < now() - interval '30 days' or id < (select max(id) - 1000 from item_log);
  return null;
end $$;
create trigger retain after insert on item_log for each statement execute function retain();
-- run
insert into item_log (item_id, op) values (1, 'x');
## write: TRUNCATE of what is derived
create function derived() returns trigger language plpgsql as $$
begin
  truncate stats;
  insert into stats select name, qty from item where name is not null;
  return null;
end $$;
create trigger derived after insert or update or delete on item for each statement execute function derived();
-- run
update item set qty = 3 where id = 1;
## write: a materialized view
create materialized view totals as select category_id, sum(qty) as qty from item group by category_id;
create function refresh() returns trigger language plpgsql as $$
begin
  refresh materialized view totals;
  return null;
end $$;
create trigger refresh after insert or update or delete on item for each statement execute function refresh();
-- run
update item set qty = 3 where id = 1;
## write: a number of a sequence
create sequence numbers;
create function numbered() returns trigger language plpgsql as $$
begin
  new.version := nextval('numbers');
  return new;
end $$;
create trigger numbered before insert on item for each row execute function numbered();
-- run
insert into item (id, name) values (50, 'fifty');
## read: exactly one row
create function strictly() returns trigger language plpgsql as $$
declare
  c text;
begin
  select name into strict c from category where id = new.category_id;
  new.status := c;
  return new;
exception
  when no_data_found then
    new.status := 'none';
    return new;
end $$;
create trigger strictly before insert or update of category_id on item for each row execute function strictly();
-- run
update item set category_id = 3 where id = 1;
## cascade: the trigger of a child
alter table line add foreign key (order_id) references orders on delete cascade;
create function dropped() returns trigger language plpgsql as $$
begin
  insert into outbox (topic, payload) values ('line', to_jsonb(old.id));
  return old;
end $$;
create trigger dropped after delete on line for each row execute function dropped();
-- run
delete from orders where id = 3;
## cursor
create function walk() returns trigger language plpgsql as $$
declare
  lines cursor for select id from line where item_id = new.id;
begin
  for l in lines loop
    insert into outbox (topic, payload) values ('line', to_jsonb(l.id));
  end loop;
  return new;
end $$;
create trigger walk after update on item for each row execute function walk();
-- run
update item set qty = 3 where id = 1;
## cursor: the current row
create function renumber() returns trigger language plpgsql as $$
declare
  lines cursor for select * from line where item_id = new.id for update;
  l line;
begin
  open lines;
  loop
    fetch lines into l;
    exit when not found;
    update line set item_name = new.name where current of lines;
  end loop;
  close lines;
  return new;
end $$;
create trigger renumber after update of name on item for each row execute function renumber();
-- run
update item set name = 'pot' where id = 1;
