import { assertMayView } from "../accounts/assert-may-view.ts";
import { type Principal, visibleWallets } from "../accounts/principal.ts";
import type { ListReading } from "../currencies/address-filter.ts";
import type { Executor } from "../platform/db/database.ts";
import { addSeconds, type Clock, type Instant } from "../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import type { Deposit } from "./deposit.ts";
import {
  createFindDeposit,
  createFindVersion,
  type FoundDeposit,
  type Listed,
  listDepositRows,
  listDepositVersions,
  readDepositRows,
} from "./deposit-list.store.ts";

/** Deposits in the form that they are shown in. What is read again and again is rendered once per version of the deposit's row. */
export type RenderedDeposits<Rendered> = {
  /**
   * One deposit of the caller's account; null when the account has no such deposit. Rejects with noPermissionToView when it belongs
   * to a wallet that the caller was not granted.
   */
  readonly find: (principal: Principal, id: string) => Promise<Rendered | null>;
  /** A page of the deposits that the caller may view. */
  readonly list: (
    principal: Principal,
    query: ListQuery,
    reading: ListReading,
  ) => Promise<Page<Rendered>>;
};

type Kept<Rendered> = {
  readonly version: string;
  readonly walletId: string;
  readonly rendered: Rendered;
  readonly until: Instant;
};

const keptMax = 5_000;
/** Versions are numbers of transactions, which start again after four billion, and in a database restored from a dump. */
const keptSeconds = 300;

/**
 * Every request still asks the database which deposits exist, to whom they belong, and which version of each is current; only the
 * columns of a version that was rendered before are not read again. `render` must depend on the deposit alone; `prepare` receives
 * what will be sent again.
 */
export function createRenderedDeposits<Rendered>(
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  form: {
    readonly render: (deposit: Deposit) => Rendered;
    readonly prepare: (rendered: Rendered) => Rendered;
  },
): RenderedDeposits<Rendered> {
  const kept = new Map<string, Kept<Rendered>>();
  const isDepositRepeated = createRepetition(keptMax / 2);
  // Pages whose deposits would not fit are not worth keeping.
  const isPageRepeated = createRepetition(keptMax / 20);
  const findVersion = createFindVersion(db);
  const findDeposit = createFindDeposit(db);

  const known = (id: string): Kept<Rendered> | null => {
    const found = kept.get(id);
    return found !== undefined && clock.now() < found.until ? found : null;
  };
  const keep = ({ version, deposit }: FoundDeposit): Rendered => {
    kept.delete(deposit.id);
    const oldest = kept.size >= keptMax ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    const { walletId } = deposit;
    const rendered = form.prepare(form.render(deposit));
    const until = addSeconds(clock.now(), keptSeconds);
    kept.set(deposit.id, { version, walletId, rendered, until });
    return rendered;
  };
  const listKept = async (listed: Listed, reading: ListReading): Promise<Page<Rendered>> => {
    const page = await listDepositVersions(db, listed, reading);
    const current = new Map<string, Rendered>();
    const others: string[] = [];
    for (const { id, version } of page.items) {
      const before = known(id);
      if (before?.version === version) current.set(id, before.rendered);
      else others.push(id);
    }
    if (others.length > 0)
      for (const found of await readDepositRows(db, listed.accountId, others))
        current.set(found.deposit.id, keep(found));
    const items = page.items.flatMap(({ id }) => {
      const rendered = current.get(id);
      return rendered === undefined ? [] : [rendered];
    });
    return { ...page, items };
  };

  return {
    find: async (principal, id) => {
      if (!isObjectId(id)) return null;
      const key = { accountId: principal.accountId, id };
      const before = known(id);
      if (before !== null && (await findVersion(key)) === before.version) {
        assertMayView(principal, before, "deposit");
        return before.rendered;
      }
      const found = await findDeposit(key);
      if (found === null) return null;
      assertMayView(principal, found.deposit, "deposit");
      return isDepositRepeated(id) ? keep(found) : form.render(found.deposit);
    },
    list: async (principal, query, reading) => {
      const { accountId } = principal;
      const listed = { accountId, wallets: visibleWallets(principal), query };
      if (isPageRepeated(JSON.stringify({ ...listed, filters: [...query.filters] })))
        return listKept(listed, reading);
      return mapPage(await listDepositRows(db, listed, reading), form.render);
    },
  };
}

/**
 * Tells whether something was asked before, of at least the last `most` different things. Keeping what is asked only once would cost
 * more than it saves.
 */
function createRepetition(most: number): (key: string) => boolean {
  let recent = new Set<string>();
  let earlier = new Set<string>();
  return (key) => {
    const isKnown = recent.has(key) || earlier.has(key);
    if (recent.size >= most) {
      earlier = recent;
      recent = new Set();
    }
    recent.add(key);
    return isKnown;
  };
}
