## sql: a value by a key
create function name_of(int) returns text language sql stable as $$ select name from category where id = $1 $$;
-- run
select id, name_of(category_id) from item order by id;
## sql: not declared stable
create function name_of(wanted int) returns text language sql as $$ select name from category where id = wanted $$;
-- run
select id, name_of(category_id) from item order by id;
## sql: immutable, though it reads
create function name_of(int) returns text language sql immutable as $$ select name from category where id = $1 $$;
-- run
select id, name_of(category_id) from item order by id;
## sql: a set of rows of a table
create function cheap(numeric) returns setof item language sql stable as $$ select * from item where price < $1 $$;
-- run
select id, name from cheap(4) order by id;
## sql: a table of its own
create function lines_of(o int) returns table (item text, total numeric) language sql stable as $$
  select i.name, l.qty * i.price from line l join item i on i.id = l.item_id where l.order_id = o
$$;
-- run
select * from lines_of(1) order by 1;
## sql: the standard's body
create function items_in(c int) returns bigint language sql stable
begin atomic
  select count(*) from item where category_id = c;
end;
-- run
select id, items_in(id) from category order by id;
## sql: the standard's RETURN
create function items_in(c int) returns bigint language sql stable return (select count(*) from item where category_id = c);
-- run
select id, items_in(id) from category order by id;
## sql: with a recursive query
create function path_of(int) returns text language sql stable as $$
  with recursive up as (
    select id, parent, name from category where id = $1
    union all
    select c.id, c.parent, c.name from category c join up on c.id = up.parent
  )
  select string_agg(name, '/' order by id) from up
$$;
-- run
select id, path_of(id) from category order by id;
## sql: with a default and by name
create function at_least(n int default 2) returns bigint language sql stable as $$ select count(*) from item where qty >= n $$;
-- run
select name, at_least(n => 3), at_least() from category order by id;
## sql: variadic
create function among(variadic ids int[]) returns bigint language sql stable as $$ select count(*) from item where id = any (ids) $$;
-- run
select name, among(1, 2, 99) from category order by id;
## sql: overloaded
create function price(int) returns numeric language sql stable as $$ select price from item where id = $1 $$;
create function price(text) returns numeric language sql stable as $$ select max(price) from item where name = $1 $$;
-- run
select id, price(item_id), price(item_name) from line order by id;
## plpgsql: SELECT INTO
create function owner_of(o int) returns text language plpgsql stable as $$
declare
  n text;
begin
  select c.name into n from orders d join customer c on c.id = d.customer_id where d.id = o;
  return coalesce(n, 'nobody');
end $$;
-- run
select id, owner_of(order_id) from line order by id;
## plpgsql: volatile by omission
create function open_orders(c int) returns bigint language plpgsql as $$
begin
  return (select count(*) from orders where customer_id = c and status = 'open');
end $$;
-- run
select id, open_orders(id) from customer order by id;
## plpgsql: RETURN QUERY
create function lines_of(o int) returns table (id int, qty int) language plpgsql stable as $$
begin
  return query select l.id, l.qty from line l where l.order_id = o;
end $$;
-- run
select * from lines_of(1) order by 1;
## plpgsql: a loop that adds
create function sum_of(o int) returns numeric language plpgsql stable as $$
declare
  total numeric := 0;
  r record;
begin
  for r in select l.qty, i.price from line l join item i on i.id = l.item_id where l.order_id = o loop
    total := total + r.qty * r.price;
  end loop;
  return total;
end $$;
-- run
select id, sum_of(id) from orders order by id;
## plpgsql: RETURN NEXT
create function numbers(o int) returns setof int language plpgsql stable as $$
declare
  r int;
begin
  for r in select qty from line where order_id = o order by id loop
    return next r;
  end loop;
  return;
end $$;
-- run
select * from numbers(1);
## plpgsql: OUT parameters
create function counts(out items bigint, out lines bigint) language plpgsql stable as $$
begin
  select count(*) into items from item;
  select count(*) into lines from line;
end $$;
-- run
select * from counts();
## plpgsql: IF EXISTS
create function has_lines(i int) returns boolean language plpgsql stable as $$
begin
  if exists (select 1 from line where item_id = i) then
    return true;
  end if;
  return false;
end $$;
-- run
select id from item where has_lines(id) order by id;
## plpgsql: an error that is caught
create function name_of(c int) returns text language plpgsql stable as $$
declare
  n text;
begin
  select name into strict n from category where id = c;
  return n;
exception when no_data_found then
  return 'none';
end $$;
-- run
select id, name_of(category_id) from item order by id;
## plpgsql: a row's type
create function label(i int) returns text language plpgsql stable as $$
declare
  r item%rowtype;
begin
  select * into r from item where id = i;
  return r.name || ' ' || r.price;
end $$;
-- run
select id, label(item_id) from line order by id;
## nested: one calls another
create function vat() returns numeric language sql stable as $$ select n / 100.0 from stats where name = 'items' $$;
create function gross(numeric) returns numeric language plpgsql stable as $$ begin return round($1 * (1 + vat()), 2); end $$;
-- run
select id, gross(price) from item order by id;
## view: calls a function
create function name_of(int) returns text language sql stable as $$ select name from category where id = $1 $$;
create view labelled as select i.id, i.name, name_of(i.category_id) as category from item i;
-- run
select * from labelled order by id;
## as the owner: a look-up that others may not do themselves
create function mail_of(int) returns text language sql stable security definer set search_path = '' as $$ select email from public.customer where id = $1 $$;
-- run
select id, mail_of(customer_id) from orders order by id;
## policy: a helper reads a setting
create function me() returns int language sql stable as $$ select nullif(current_setting('app.customer', true), '')::int $$;
alter table orders enable row level security;
create policy own on orders using (me() is null or customer_id = me());
alter table orders force row level security;
-- run
select id, total from orders order by id;
## policy: a claim of a token, as PostgREST and Supabase have it
create function uid() returns text language sql stable as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub' $$;
alter table customer enable row level security;
create policy own on customer for select using (uid() is null or email = uid());
alter table customer force row level security;
-- run
select id, name from customer order by id;
## policy: a helper asks a table of members
create function may_see(c int) returns boolean language sql stable security definer set search_path = '' as $$ select exists (select 1 from public.category where id = c and items > 2) $$;
alter table item enable row level security;
create policy seen on item using (may_see(category_id));
alter table item force row level security;
-- run
select id, name from item order by id;
## a report: aggregates of several tables
create function revenue(since int) returns table (customer text, orders bigint, total numeric) language plpgsql stable as $$
begin
  return query
    select c.name, count(o.id), coalesce(sum(o.total), 0)
    from customer c left join orders o on o.customer_id = c.id and o.id >= since
    group by c.name;
end $$;
-- run
select * from revenue(1) order by 1;
