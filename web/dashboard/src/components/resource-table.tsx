import { ActionIcon, Button, Card, Checkbox, Group, Menu, Skeleton, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconColumns3, IconSelector } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  columnVisibilityFeature,
  createColumnHelper,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type ReactNode, useMemo, useState } from "react";
import type { ListSource } from "../api/list-source.ts";
import { refreshEvery } from "../api/refresh-every.ts";
import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";
import { ExportButton } from "./export-button.tsx";
import { FilterBar, type FilterField } from "./filter-bar.tsx";
import { ErrorAlert } from "./problem-alert.tsx";
import { type ListSearch, listQuery, type SearchFilter, useListSearch } from "./use-list-search.ts";

export type TableColumn<Row> = {
  readonly id: string;
  /** Translated where it is shown. CSV files have it in English, so that they are the same for every member. */
  readonly header: PlainText;
  readonly cell: (row: Row) => ReactNode;
  /** The cell in the CSV file: plain text, amounts with all digits. Columns without it are not exported. */
  readonly csv?: (row: Row) => string;
  /** The currency of an amount, exported in a column of its own next to it. */
  readonly csvCode?: (row: Row) => string | null;
  /** The API's sort field. */
  readonly sort?: string;
  readonly align?: "end";
  /** Hidden by default. */
  readonly isOptional?: boolean;
};

export type ResourceTableProps<Row> = {
  /** Names the table for screen readers and the CSV file: "Deposits". */
  readonly name: PlainText;
  readonly source: ListSource<Row>;
  /** Must be referentially stable: a constant or from `useMemo`. */
  readonly columns: readonly TableColumn<Row>[];
  readonly filters?: readonly FilterField[];
  /** Maps the search text to filters. */
  readonly search?: {
    readonly label: string;
    readonly toFilter: SearchFilter;
  };
  /** Runs on a click in the row outside its links and buttons. The first column should hold the link itself. */
  readonly onOpen?: (row: Row) => void;
  /** Shown when the list is empty without any filter. */
  readonly empty: ReactNode;
  /** Seconds between refreshes while the page is visible. Default 15; 0 disables. */
  readonly refreshSeconds?: number;
  /** Additional buttons beside the export. */
  readonly actions?: ReactNode;
};

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature });
const noRows: never[] = [];

/**
 * A list route as a table with filters, search and sorting in the URL, cursor pagination, selectable columns and CSV export. On a
 * phone each row is a small card.
 */
export function ResourceTable<Row extends { readonly id: string }>(props: ResourceTableProps<Row>) {
  const { name, source, columns, filters = [], search, refreshSeconds = 15 } = props;
  const listSearch = useListSearch();
  const query = listQuery(listSearch, search?.toFilter ?? null);
  const { after } = listSearch;
  const page = useQuery({
    queryKey: ["list", source.path, query, after],
    queryFn: ({ signal }) => source.page(query, after, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery(refreshSeconds === 0 ? null : refreshSeconds * 1_000),
  });
  const table = useResourceTable(columns, (page.data?.data ?? noRows) as Row[], listSearch);
  const isNarrowed = Object.keys(query.filter).length > 0;
  // A placeholder is the previous list: that it was empty says nothing about the new one.
  const isEmpty = page.isSuccess && !page.isPlaceholderData && page.data.data.length === 0;
  const csvColumns = columns.flatMap(({ header, csv, csvCode }) =>
    csv === undefined
      ? []
      : csvCode === undefined
        ? [{ header, csv }]
        : [
            { header, csv },
            { header: `${header} currency`, csv: (row: Row) => csvCode(row) ?? "" },
          ],
  );
  return (
    <Card padding={0}>
      <div className="table-head">
        <FilterBar
          search={listSearch}
          fields={filters}
          searchLabel={search?.label ?? null}
          actions={
            <>
              {props.actions}
              {csvColumns.length === 0 ? null : (
                <ExportButton
                  name={name.toLowerCase()}
                  columns={csvColumns}
                  source={source}
                  query={query}
                />
              )}
              <ColumnsMenu table={table} />
            </>
          }
        />
      </div>
      <ErrorAlert error={page.error} m="md" />
      {isEmpty && !isNarrowed && after === "" ? (
        <div className="table-empty">{props.empty}</div>
      ) : (
        <TableBody
          {...props}
          table={table}
          isLoading={page.isPending}
          isBusy={page.isPending || page.isPlaceholderData}
        />
      )}
      {isEmpty && (isNarrowed || after !== "") ? (
        <Text c="dimmed" p="lg">
          {after === "" ? t("No results. Change or clear the filters.") : t("This page is empty.")}
        </Text>
      ) : null}
      <Pager
        search={listSearch}
        hasNext={(page.data?.next ?? null) !== null}
        // Placeholder rows belong to the previous list, and so does their cursor.
        next={page.isPlaceholderData ? null : (page.data?.next ?? null)}
      />
    </Card>
  );
}

function useResourceTable<Row extends { readonly id: string }>(
  columns: readonly TableColumn<Row>[],
  data: Row[],
  { sort, setSort }: Pick<ReturnType<typeof useListSearch>, "sort" | "setSort">,
) {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map((column) =>
      helper.accessor((row): unknown => row.id, {
        id: column.id,
        header: t(column.header),
        enableSorting: column.sort !== undefined,
      }),
    );
  }, [columns]);
  const [columnVisibility, onColumnVisibilityChange] = useState(() =>
    Object.fromEntries(columns.map(({ id, isOptional }) => [id, isOptional !== true])),
  );
  const sorting = sortingOf(columns, sort);
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: ({ id }) => id,
    manualSorting: true,
    enableMultiSort: false,
    state: { sorting, columnVisibility },
    onColumnVisibilityChange,
    onSortingChange: (updater) => {
      const [next] = typeof updater === "function" ? updater(sorting) : updater;
      const field = columns.find(({ id }) => id === next?.id)?.sort;
      setSort(field === undefined ? null : `${next?.desc === true ? "-" : ""}${field}`);
    },
  });
}

type ResourceTableInstance<Row extends { readonly id: string }> = ReturnType<
  typeof useResourceTable<Row>
>;

function sortingOf<Row>(columns: readonly TableColumn<Row>[], sort: string | null): SortingState {
  const field = sort?.replace(/^-/, "");
  const column = columns.find((candidate) => candidate.sort === field && field !== undefined);
  return column === undefined ? [] : [{ id: column.id, desc: sort?.startsWith("-") === true }];
}

function TableBody<Row extends { readonly id: string }>({
  name,
  columns,
  onOpen,
  table,
  isLoading,
  isBusy,
}: ResourceTableProps<Row> & {
  readonly table: ResourceTableInstance<Row>;
  readonly isLoading: boolean;
  /** Whether the shown rows are placeholders or still loading. */
  readonly isBusy: boolean;
}) {
  const alignOf = (id: string) => columns.find((column) => column.id === id)?.align;
  // Not a component: rebuilt columns would remount links while someone is clicking them.
  const cellOf = (id: string, row: Row) => columns.find((column) => column.id === id)?.cell(row);
  const headerOf = (id: string) => {
    const column = columns.find((candidate) => candidate.id === id);
    return column === undefined ? undefined : t(column.header);
  };
  return (
    <div className="table-scroll">
      {/* Explicit roles keep the table semantics where the phone layout changes `display`. */}
      <table className="resource-table" role="table" aria-label={t(name)} aria-busy={isBusy}>
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row">
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  role="columnheader"
                  scope="col"
                  data-align={alignOf(header.column.id)}
                  aria-sort={ariaSort(header.column.getIsSorted())}
                >
                  {header.column.getCanSort() ? (
                    <button
                      type="button"
                      className="sort-button"
                      onClick={header.column.getToggleSortingHandler()}
                    >
                      <table.FlexRender header={header} />
                      <SortIcon direction={header.column.getIsSorted()} />
                    </button>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody role="rowgroup">
          {isLoading ? <LoadingRows columns={table.getVisibleLeafColumns().length} /> : null}
          {table.getRowModel().rows.map((row) => (
            <tr
              key={row.id}
              role="row"
              data-clickable={onOpen === undefined ? undefined : ""}
              onClick={(event) => {
                if (isRowClick(event.target)) onOpen?.(row.original);
              }}
            >
              {row.getVisibleCells().map((cell) => (
                <td
                  key={cell.id}
                  role="cell"
                  data-align={alignOf(cell.column.id)}
                  data-label={headerOf(cell.column.id)}
                >
                  {cellOf(cell.column.id, row.original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether a click is meant for the row: not for a control inside it, and not the end of a text selection. */
function isRowClick(target: EventTarget): boolean {
  const isSelecting = (globalThis.getSelection()?.toString() ?? "") !== "";
  return (
    !isSelecting && target instanceof Element && target.closest("a, button, input, label") === null
  );
}

function ariaSort(direction: false | "asc" | "desc"): "ascending" | "descending" | undefined {
  if (direction === false) return undefined;
  return direction === "asc" ? "ascending" : "descending";
}

function SortIcon({ direction }: { readonly direction: false | "asc" | "desc" }) {
  const Icon =
    direction === false ? IconSelector : direction === "asc" ? IconChevronUp : IconChevronDown;
  return <Icon size={14} aria-hidden="true" />;
}

function LoadingRows({ columns }: { readonly columns: number }) {
  return Array.from({ length: 6 }, (_row, row) => (
    <tr key={row} role="row" aria-hidden="true">
      {Array.from({ length: columns }, (_cell, cell) => (
        <td key={cell} role="cell">
          <Skeleton height={12} width={cell === 0 ? "40%" : "70%"} />
        </td>
      ))}
    </tr>
  ));
}

function ColumnsMenu<Row extends { readonly id: string }>({
  table,
}: {
  readonly table: ResourceTableInstance<Row>;
}) {
  return (
    <Menu closeOnItemClick={false} position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t("Choose columns")} visibleFrom="sm">
          <IconColumns3 size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {table.getAllLeafColumns().map((column) => (
          <Menu.Item key={column.id} onClick={column.getToggleVisibilityHandler()} component="div">
            <Checkbox
              size="xs"
              label={String(column.columnDef.header)}
              checked={column.getIsVisible()}
              onChange={column.getToggleVisibilityHandler()}
            />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Pager({
  search: { after, hasPreviousPages, goToNext, goToPrevious },
  hasNext,
  next,
}: {
  readonly search: ListSearch;
  /** Whether more rows follow the shown ones. */
  readonly hasNext: boolean;
  /** The cursor of the next page; null also while the rows are placeholders. */
  readonly next: string | null;
}) {
  if (after === "" && !hasNext) return null;
  return (
    <Group component="nav" aria-label={t("Pagination")} justify="flex-end" p="md" gap="sm">
      <Button variant="default" size="xs" disabled={after === ""} onClick={goToPrevious}>
        {hasPreviousPages || after === "" ? t("Previous") : t("First page")}
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={next === null}
        onClick={() => {
          if (next !== null) goToNext(next);
        }}
      >
        {t("Next")}
      </Button>
    </Group>
  );
}
