## function: places an order
create function place_order(c int, i int, n int) returns int language plpgsql as $$
declare
  o int;
begin
  select coalesce(max(id), 0) + 1 into o from orders;
  insert into orders (id, customer_id, total) select o, c, price * n from item where id = i;
  insert into line (id, order_id, item_id, qty) values (o * 100, o, i, n);
  update item set qty = qty - n where id = i;
  if not found then
    raise exception 'no item %', i;
  end if;
  return o;
end $$;
-- run
select place_order(1, 2, 1);
## function: in SQL
create function pay(o int) returns text language sql as $$
  update orders set status = 'paid' where id = o;
  select status from orders where id = o;
$$;
-- run
select pay(1);
## function: returns the rows that it writes
create function raise_prices(f numeric) returns setof item language sql as $$ update item set price = price * f returning * $$;
-- run
select * from raise_prices(1.1);
## function: gets or creates
create function category_of(n text) returns int language plpgsql as $$
declare
  found_id int;
begin
  loop
    select id into found_id from category where name = n;
    if found then
      return found_id;
    end if;
    begin
      insert into category (id, name) select max(id) + 1, n from category returning id into found_id;
      return found_id;
    exception when unique_violation then
      null;
    end;
  end loop;
end $$;
-- run
select category_of('jugs');
select category_of('cups');
## function: takes a job of a queue
create function take() returns int language plpgsql as $$
declare
  j int;
begin
  select id into j from orders where status = 'open' order by id limit 1 for update skip locked;
  update orders set status = 'taken' where id = j;
  return j;
end $$;
-- run
select take();
## function: moves money
create function transfer(a int, b int, amount numeric) returns void language plpgsql as $$
begin
  update customer set balance = balance - amount where id = a;
  update customer set balance = balance + amount where id = b;
  if (select balance < 0 from customer where id = a) then
    raise exception 'not enough';
  end if;
end $$;
-- run
select transfer(1, 2, 5);
## function: jsonb in, rows out of it
create function import_items(doc jsonb) returns int language plpgsql as $$
declare
  n int;
begin
  insert into item (id, name, price) select (d ->> 'id')::int, d ->> 'name', (d ->> 'price')::numeric from jsonb_array_elements(doc) d
    on conflict (id) do update set name = excluded.name, price = excluded.price;
  get diagnostics n = row_count;
  return n;
end $$;
-- run
select import_items('[{"id": 1, "name": "beaker", "price": 3}, {"id": 60, "name": "jar", "price": 9}]');
## function: with a trigger behind it
create function counted() returns trigger language plpgsql as $$
begin
  update stats set n = n + 1 where name = 'orders';
  return null;
end $$;
create trigger counted after insert on orders for each row execute function counted();
create function add_order(o int) returns void language sql as $$ insert into orders (id) values (o) $$;
-- run
select add_order(70);
## procedure: a simple one
create procedure close_orders(c int) language plpgsql as $$
begin
  update orders set status = 'closed' where customer_id = c;
end $$;
-- run
call close_orders(1);
## procedure: in SQL
create procedure close_orders(c int) language sql as $$ update orders set status = 'closed' where customer_id = c $$;
-- run
call close_orders(1);
## procedure: the standard's body
create procedure close_orders(c int) language sql
begin atomic
  update orders set status = 'closed' where customer_id = c;
end;
-- run
call close_orders(1);
## procedure: in steps with COMMIT
create procedure in_steps() language plpgsql as $$
declare
  i int;
begin
  for i in select id from orders order by id loop
    update orders set total = total + 1 where id = i;
    commit;
  end loop;
end $$;
-- run
call in_steps();
## procedure: calls another
create procedure log_it(what text) language plpgsql as $$ begin insert into item_log (op) values (what); end $$;
create procedure both() language plpgsql as $$
begin
  call log_it('begin');
  update stats set n = 0;
  call log_it('end');
end $$;
-- run
call both();
## procedure: a migration of data (Flyway)
create procedure migrate() language plpgsql as $$
declare
  r record;
begin
  if not exists (select 1 from stats where name = 'migrated') then
    for r in select id, name from item where updated_by is null loop
      update item set updated_by = 'migration' where id = r.id;
      raise notice 'item % done', r.id;
    end loop;
    insert into stats values ('migrated', 1);
  end if;
end $$;
-- run
call migrate();
## procedure: INOUT
create procedure next_total(inout o int) language plpgsql as $$
begin
  update orders set total = total + 1 where id = o returning total::int into o;
end $$;
-- run
call next_total(1);
## block: DO
-- run
do $$ begin update stats set n = n + 1 where name = 'items'; end $$;
