package dev.r2dbcengine.dialect;

import java.util.EnumMap;
import java.util.Map;

/** The texts of the databases that can be migrated. Tables and locks are those of Flyway 13. */
final class MigrationTexts {

    static final Map<MigrationSql, String> H2 = Map.ofEntries(
            Map.entry(MigrationSql.SESSION, """
                    select schema() as engine_schema, user() as engine_user, database() as engine_database,
                      h2version() as engine_version, 'set schema ' || quote_ident(schema()) as engine_restore,
                      cast(null as varchar) as engine_settings"""),
            Map.entry(MigrationSql.HOME, "schema()"),
            Map.entry(MigrationSql.USE_SCHEMA, "set schema {schema}"),
            Map.entry(
                    MigrationSql.COUNT_SCHEMAS,
                    "select count(*) from information_schema.schemata where schema_name = :schema"),
            Map.entry(
                    MigrationSql.COUNT_TABLES,
                    "select count(*) from information_schema.tables where table_schema = :schema and table_name = :table"),
            Map.entry(
                    MigrationSql.COUNT_OBJECTS,
                    "select count(*) from information_schema.tables where table_schema = :schema and table_name <> :table"),
            Map.entry(MigrationSql.CREATE_SCHEMA, "create schema if not exists {schema}"),
            Map.entry(MigrationSql.DROP_SCHEMA, "drop schema if exists {schema} cascade"),
            Map.entry(MigrationSql.DROPS, """
                    select 'drop ' || kind || ' if exists ' || quote_ident(home) || '.' || quote_ident(name) || more
                    from (
                      select case when table_name = :table then 0 else 1 end as turn,
                        case table_type when 'BASE TABLE' then 'table' else lower(table_type) end as kind,
                        table_schema as home, table_name as name, ' cascade' as more from information_schema.tables
                      union all select 2, 'synonym', synonym_schema, synonym_name, '' from information_schema.synonyms
                      union all select 3, 'sequence', sequence_schema, sequence_name, ''
                        from information_schema.sequences
                      union all select 4, 'constant', constant_schema, constant_name, ''
                        from information_schema.constants
                      union all select 5, case routine_type when 'AGGREGATE' then 'aggregate' else 'alias' end,
                        routine_schema, routine_name, '' from information_schema.routines
                      union all select 6, 'domain', domain_schema, domain_name, ' cascade'
                        from information_schema.domains) o
                    where home = :schema order by turn, name"""),
            Map.entry(MigrationSql.CREATE_TABLE, """
                    CREATE TABLE IF NOT EXISTS {table} (
                        "installed_rank" INT NOT NULL,
                        "version" VARCHAR(50),
                        "description" VARCHAR(200) NOT NULL,
                        "type" VARCHAR(20) NOT NULL,
                        "script" VARCHAR(1000) NOT NULL,
                        "checksum" INT,
                        "installed_by" VARCHAR(100) NOT NULL,
                        "installed_on" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                        "execution_time" INT NOT NULL,
                        "success" BOOLEAN NOT NULL,
                        CONSTRAINT "{name}_pk" PRIMARY KEY ("installed_rank")
                    )"""),
            Map.entry(
                    MigrationSql.CREATE_INDEX,
                    "CREATE INDEX IF NOT EXISTS {schema}.\"{name}_s_idx\" ON {table} (\"success\")"),
            Map.entry(
                    MigrationSql.LOCK_ROW,
                    "select \"installed_rank\" from {table} where \"installed_rank\" = -1 for update"),
            Map.entry(MigrationSql.CREATE_ROW, """
                    insert into {table} ("installed_rank", "description", "type", "script", "installed_by",
                      "execution_time", "success")
                    values (-1, '<< Flyway Schema History table created >>', 'TABLE', '', :user, 0, TRUE)"""));

    static final Map<MigrationSql, String> POSTGRESQL = Map.ofEntries(
            Map.entry(MigrationSql.SESSION, """
                    select current_schema()::text as engine_schema, current_user::text as engine_user,
                      current_database()::text as engine_database, current_setting('server_version') as engine_version,
                      'select set_config(''search_path'', ' || quote_literal(current_setting('search_path'))
                        || ', false), set_config(''role'', ' || quote_literal(current_setting('role'))
                        || ', false)' as engine_restore, null::text as engine_settings"""),
            Map.entry(MigrationSql.HOME, """
                    (select n.nspname::text from pg_catalog.pg_class c
                      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = h.tableoid)"""),
            Map.entry(MigrationSql.USE_SCHEMA, """
                    select set_config('search_path', concat_ws(', ', quote_ident(:schema),
                      nullif(current_setting('search_path'), '')), false)
                    where current_schema() is distinct from :schema"""),
            Map.entry(
                    MigrationSql.COUNT_SCHEMAS, "select count(*) from pg_catalog.pg_namespace where nspname = :schema"),
            Map.entry(
                    MigrationSql.COUNT_TABLES,
                    "select count(*) from pg_catalog.pg_tables where schemaname = :schema and tablename = :table"),
            Map.entry(MigrationSql.COUNT_OBJECTS, """
                    select count(*) from (
                      select oid, relnamespace as home from pg_catalog.pg_class
                        where relkind in ('r', 'v', 'S', 'm', 'p', 'f') and relname <> :table
                      union all select oid, pronamespace from pg_catalog.pg_proc
                      union all select oid, typnamespace from pg_catalog.pg_type where typtype in ('d', 'e')) o
                    join pg_catalog.pg_namespace n on n.oid = o.home
                    where n.nspname = :schema
                      and not exists (select 1 from pg_catalog.pg_depend d where d.objid = o.oid and d.deptype = 'e')"""),
            Map.entry(MigrationSql.CREATE_SCHEMA, "create schema if not exists {schema}"),
            Map.entry(MigrationSql.DROP_SCHEMA, "drop schema if exists {schema} cascade"),
            Map.entry(MigrationSql.DROPS, """
                    select o.drop from pg_catalog.pg_namespace n cross join lateral (
                      select case when relname = :table then 0
                          else array_position(array['m', 'v', 'f', 'p', 'r', 'S', 'c']::"char"[], relkind) end as turn, oid,
                        format('drop %s if exists %I.%I cascade', case relkind when 'm' then 'materialized view'
                          when 'v' then 'view' when 'f' then 'foreign table' when 'S' then 'sequence'
                          when 'c' then 'type' else 'table' end, n.nspname, relname) as drop
                        from pg_catalog.pg_class where relnamespace = n.oid
                          and relkind in ('m', 'v', 'f', 'p', 'r', 'S', 'c')
                      union all select 10, oid, format('drop routine if exists %s cascade', oid::regprocedure)
                        from pg_catalog.pg_proc where pronamespace = n.oid
                      union all select 11, oid, format('drop type if exists %I.%I cascade', n.nspname, typname)
                        from pg_catalog.pg_type t where typnamespace = n.oid and typtype in ('b', 'e', 'r')
                          and not exists (select 1 from pg_catalog.pg_type e where e.typarray = t.oid)
                      union all select 12, oid, format('drop domain if exists %I.%I cascade', n.nspname, typname)
                        from pg_catalog.pg_type where typnamespace = n.oid and typtype = 'd'
                      union all select 13, oid, format('drop operator if exists %s cascade', oid::regoperator)
                        from pg_catalog.pg_operator where oprnamespace = n.oid
                      union all select 14, oid, format('drop collation if exists %I.%I cascade', n.nspname, collname)
                        from pg_catalog.pg_collation where collnamespace = n.oid
                      union all select 15, oid,
                        format('drop text search configuration if exists %I.%I cascade', n.nspname, cfgname)
                        from pg_catalog.pg_ts_config where cfgnamespace = n.oid
                      union all select 16, oid,
                        format('drop text search dictionary if exists %I.%I cascade', n.nspname, dictname)
                        from pg_catalog.pg_ts_dict where dictnamespace = n.oid
                      union all select 17, e.oid, format('drop extension if exists %I cascade', extname)
                        from pg_catalog.pg_extension e join pg_catalog.pg_roles r on r.oid = e.extowner
                        where extnamespace = n.oid and rolname = current_user) o
                    where n.nspname = :schema
                      and not exists (select 1 from pg_catalog.pg_depend d where d.objid = o.oid
                        and (d.deptype = 'e' or d.deptype = 'i' and o.turn = 10))
                    order by o.turn, o.oid"""),
            Map.entry(MigrationSql.CREATE_TABLE, """
                    CREATE TABLE {table} (
                        "installed_rank" INT NOT NULL,
                        "version" VARCHAR(50),
                        "description" VARCHAR(200) NOT NULL,
                        "type" VARCHAR(20) NOT NULL,
                        "script" VARCHAR(1000) NOT NULL,
                        "checksum" INTEGER,
                        "installed_by" VARCHAR(100) NOT NULL,
                        "installed_on" TIMESTAMP NOT NULL DEFAULT now(),
                        "execution_time" INTEGER NOT NULL,
                        "success" BOOLEAN NOT NULL
                    )"""),
            Map.entry(
                    MigrationSql.CREATE_KEY,
                    "ALTER TABLE {table} ADD CONSTRAINT \"{name}_pk\" PRIMARY KEY (\"installed_rank\")"),
            Map.entry(MigrationSql.CREATE_INDEX, "CREATE INDEX \"{name}_s_idx\" ON {table} (\"success\")"),
            Map.entry(MigrationSql.TRY_LOCK, "select pg_try_advisory_lock(77431708279161 + ({hash}))::int"),
            Map.entry(MigrationSql.UNLOCK, "select pg_advisory_unlock(77431708279161 + ({hash}))::int"),
            Map.entry(MigrationSql.HOLDS_LOCK, """
                    exists (select 1 from pg_catalog.pg_locks l
                      where l.locktype = 'advisory' and l.granted and l.pid = pg_backend_pid() and l.objsubid = 1
                        and (l.classid::bigint << 32) + l.objid::bigint = 77431708279161 + ({hash}))"""),
            Map.entry(MigrationSql.UNFLUSHED_COMMIT, "set_config('synchronous_commit', 'off', true) = 'off'"),
            // A message in the log is the only write that needs no table. No subscriber reads it.
            Map.entry(MigrationSql.FLUSH, "select pg_logical_emit_message(true, 'r2dbc-engine', '')::text"),
            Map.entry(
                    MigrationSql.TRY_LOCK_TRANSACTION,
                    "select pg_try_advisory_xact_lock(77431708279161 + ({hash}))::int"),
            Map.entry(MigrationSql.LOCK_HOLDER, """
                    select l.pid::text as engine_session, a.usename::text as engine_user,
                      nullif(concat_ws(' at ', nullif(a.application_name, ''), host(a.client_addr)), '') as engine_client,
                      extract(epoch from clock_timestamp() - a.backend_start)::bigint as engine_seconds
                    from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a on a.pid = l.pid
                    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
                      and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
                      and (l.classid::bigint << 32) + l.objid::bigint = 77431708279161 + ({hash})"""),
            Map.entry(MigrationSql.INVALID_INDEXES, """
                    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) from pg_catalog.pg_index i
                      join pg_catalog.pg_class c on c.oid = i.indexrelid
                      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                    where not i.indisvalid
                      and not exists (select 1 from pg_stat_progress_create_index p where p.index_relid = c.oid)
                    order by 1"""));

    static final Map<MigrationSql, String> MYSQL = Map.ofEntries(
            Map.entry(MigrationSql.SESSION, """
                    select database() as engine_schema, substring_index(user(), '@', 1) as engine_user,
                      database() as engine_database, version() as engine_version,
                      concat('use `', replace(database(), '`', '``'), '`') as engine_restore,
                      concat('set autocommit = ', @@autocommit, ', foreign_key_checks = ', @@foreign_key_checks,
                        ', sql_safe_updates = ', @@sql_safe_updates, ', sql_mode = ', quote(@@sql_mode)) as engine_settings"""),
            Map.entry(MigrationSql.HOME, "database()"),
            Map.entry(MigrationSql.USE_SCHEMA, "use {schema}"),
            Map.entry(
                    MigrationSql.COUNT_SCHEMAS,
                    "select count(*) from information_schema.schemata where schema_name = :schema"),
            Map.entry(
                    MigrationSql.COUNT_TABLES,
                    "select count(*) from information_schema.tables where table_schema = :schema and table_name = :table"),
            Map.entry(MigrationSql.COUNT_OBJECTS, """
                    select (select count(*) from information_schema.tables
                        where table_schema = :schema and table_name <> :table)
                      + (select count(*) from information_schema.routines where routine_schema = :schema)
                      + (select count(*) from information_schema.events where event_schema = :schema)"""),
            Map.entry(MigrationSql.CREATE_SCHEMA, "create schema if not exists {schema}"),
            Map.entry(MigrationSql.DROP_SCHEMA, "drop schema if exists {schema}"),
            Map.entry(MigrationSql.DROPS, """
                    select line from (
                      select 0 as turn, 'set foreign_key_checks = 0' as line
                      union all select turn, concat('drop ', kind, ' if exists `', replace(home, '`', '``'), '`.`',
                        replace(name, '`', '``'), '`') from (
                        select 2 as turn, 'event' as kind, event_schema as home, event_name as name
                          from information_schema.events
                        union all select 3, lower(routine_type), routine_schema, routine_name
                          from information_schema.routines
                        union all select case when table_name = :table then 1 when table_type = 'VIEW' then 4 else 5 end,
                          case when table_type in ('VIEW', 'SEQUENCE') then lower(table_type) else 'table' end,
                          table_schema, table_name from information_schema.tables) o
                      where home = :schema) d
                    order by turn"""),
            Map.entry(MigrationSql.CREATE_TABLE, """
                    CREATE TABLE {table} (
                        `installed_rank` INT NOT NULL,
                        `version` VARCHAR(50),
                        `description` VARCHAR(200) NOT NULL,
                        `type` VARCHAR(20) NOT NULL,
                        `script` VARCHAR(1000) NOT NULL,
                        `checksum` INT,
                        `installed_by` VARCHAR(100) NOT NULL,
                        `installed_on` TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                        `execution_time` INT NOT NULL,
                        `success` BOOL NOT NULL,
                        CONSTRAINT `{name}_pk` PRIMARY KEY (`installed_rank`)
                    )"""),
            Map.entry(MigrationSql.CREATE_INDEX, "CREATE INDEX `{name}_s_idx` ON {table} (`success`)"),
            Map.entry(MigrationSql.TRY_LOCK, "select get_lock('Flyway-{hash}', 0)"),
            Map.entry(MigrationSql.UNLOCK, "select release_lock('Flyway-{hash}')"),
            Map.entry(MigrationSql.HOLDS_LOCK, "is_used_lock('Flyway-{hash}') = connection_id()"),
            Map.entry(MigrationSql.LOCK_HOLDER, """
                    select cast(l.id as char) as engine_session, p.user as engine_user, p.host as engine_client,
                      cast(null as signed) as engine_seconds
                    from (select is_used_lock('Flyway-{hash}') as id) l
                      left join information_schema.processlist p on p.id = l.id where l.id is not null"""));

    private static final String IGNORE_SPACE = "sql_mode = concat(@@sql_mode, ',IGNORE_SPACE')";

    /* The MariaDB drivers set this mode when they log in, and a routine keeps the mode in which it was created. */
    static final Map<MigrationSql, String> MARIADB_BY_MYSQL_DRIVER =
            with(MYSQL, MigrationSql.OPEN_SESSION, "set " + IGNORE_SPACE);

    /* As Flyway's driver does: views and routines keep the collation of the session that created them. */
    static final Map<MigrationSql, String> MYSQL_SERVER =
            with(MYSQL, MigrationSql.OPEN_SESSION, "set names utf8mb4, " + IGNORE_SPACE);

    private MigrationTexts() {}

    private static Map<MigrationSql, String> with(Map<MigrationSql, String> texts, MigrationSql key, String text) {
        Map<MigrationSql, String> more = new EnumMap<>(texts);
        more.put(key, text);
        return Map.copyOf(more);
    }
}
