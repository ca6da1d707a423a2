import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { ApiResponse } from "../support/api-server.ts";
import { expectBooksToBalance } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import { mutationOf, seldom } from "../support/mutate-json.ts";
import { peopleOrigin } from "../support/mutation-people.ts";
import { peopleTargets } from "../support/mutation-people-targets.ts";
import {
  arrangeMutationSite,
  type MutationSite,
  mutationTargets,
  type Target,
} from "../support/mutation-targets.ts";
import { fc } from "../support/property.ts";
import { seed } from "../support/seed.ts";
import { sendAll } from "../support/send-all.ts";
import { describeResponse, useWholeApi, type WholeRequest } from "../support/whole-api.ts";

/*
 * Mutates thousands of valid documents and sends them over persistent connections. Every response is well-formed and never a 5xx, except
 * where no fee can be quoted. Afterwards the database matches the responses: one new row for each 201, changed rows only for accepted
 * requests, used keys only for created payouts and batches, and balanced books.
 *
 * A failure prints the seed; SLUICE_TEST_SEED repeats it.
 */

const jsonApi = "application/vnd.api+json";
const mutations = 10_000;
const peopleMutations = 2_500;
const chunk = 250;
/** The lifetime of the access tokens. */
const timeout = 900_000;

const database = useDatabase();
const api = useWholeApi(database, { base_url: peopleOrigin });

const targets = [...mutationTargets, ...peopleTargets];
/** Takes a cookie instead of a document; session.test.ts tests wrong, old and used ones. */
const cookieAlone = ["POST /session/refresh/"];

let site: MutationSite;

beforeAll(async () => {
  console.log(`requests with seed ${seed}`);
  site = await arrangeMutationSite(api, mutations, chunk);
});

type Mutation = {
  readonly target: Target;
  readonly body: string;
  readonly id: string | null;
  /** Sent with a key that other requests of the chunk use too. */
  readonly isKeyShared: boolean;
};

const strangeId = fc.oneof(
  fc.constantFrom(
    "0",
    "00",
    "1e5",
    "-1",
    "%00",
    "9".repeat(18),
    "9".repeat(19),
    "9".repeat(300),
    "..",
    "%2e%2e",
    "%ff",
    "1%2F2",
  ),
  fc.string({ minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

function anyMutation(of: readonly Target[], on: MutationSite): fc.Arbitrary<Mutation> {
  return fc.oneof(
    ...of.map((target) => ({
      weight: target.weight,
      arbitrary: fc.record({
        target: fc.constant(target),
        body: fc.oneof(...target.documents(on).map((document) => mutationOf(document))),
        id: seldom(strangeId).map((id) => (target.objects === undefined ? null : id)),
        isKeyShared: fc.nat(3).map((one) => one === 0),
      }),
    })),
  );
}

/** The documents that are sent unchanged; targets that work only once keep the others for mutations. */
function validOf(target: Target): readonly JsonObject[] {
  const documents = target.documents(site);
  return target.isOnce === true ? documents.slice(0, 1) : documents;
}

/** A digest of each row of a table, by id. */
async function digests(table: string): Promise<ReadonlyMap<string, string>> {
  const named: Readonly<Record<string, string>> = {
    refresh_token: "digest",
    wallet_balance: "wallet_id",
    payout_key: "key",
    person_login: "member_id",
    totp: "member_id",
    payout_stop: "scope",
  };
  const rows = await database.sql<{ id: string; digest: string }>(
    `select ${named[table] ?? "id"}::text as id, md5(t::text) as digest from ${table} t`,
  );
  return new Map(rows.map(({ id, digest }) => [id, digest]));
}

/** Tables that change only as the responses say. */
const watched = [
  ...["deposit", "wallet", "wallet_balance", "callback", "token_family", "refresh_token"],
  ...["account", "member", "credential", "transfer", "payout", "payout_key"],
  ...["beneficiary", "person_login", "totp", "passkey", "payout_stop"],
];

async function snapshot(): Promise<Readonly<Record<string, ReadonlyMap<string, string>>>> {
  const each = watched.map(async (table) => [table, await digests(table)] as const);
  return Object.fromEntries(await Promise.all(each));
}

type Exchange = {
  readonly target: Target;
  readonly request: WholeRequest;
  readonly key: string;
  readonly id: string | null;
  readonly answer: ApiResponse;
};

/** Sends a mutation for the target's next object. */
async function send(
  { target, body, id }: Pick<Mutation, "target" | "body" | "id">,
  place: number,
  key: string = systemRandom.uuid(),
): Promise<Exchange> {
  const objects = target.objects?.(site) ?? [];
  const named = id ?? objects[place % Math.max(1, objects.length)] ?? null;
  const request: WholeRequest = {
    method: target.method,
    path: named === null ? target.path : target.path.replace(/\{\w+\}/, named),
    body: new TextEncoder().encode(body),
    ...(target.isPublic === true
      ? {}
      : { as: target.as === undefined ? site.shop.token : target.as(site.people) }),
    headers: { "content-type": jsonApi, "idempotency-key": key },
  };
  const answer = await api.ask(request);
  const isUnquoted = describeResponse(answer) === "503 4018" && body.includes('"1000"');
  const allowed = [200, 201, 204, 400, 401, 403, 404, 409, 413, ...(target.isGuessed ? [429] : [])];
  if (!isUnquoted && !allowed.includes(answer.status))
    throw new Error(`${answer.status} ${answer.text} ${api.failures().join()}`);
  return { target, request, key, id: named, answer };
}

const succeeded = (exchanges: readonly Exchange[], path: string): readonly Exchange[] =>
  exchanges.filter(({ target, answer }) => target.path === path && answer.status < 300);

/** The payout that a response contains; null for all other responses. */
function payoutMadeBy({ target, answer }: Exchange): string | null {
  if (answer.status >= 300) return null;
  if (target.path === "/payout/") return answer.one.id;
  const { meta } = answer.document as { readonly meta?: { readonly payout_id?: string } };
  return meta?.payout_id ?? null;
}

type Snapshot = Awaited<ReturnType<typeof snapshot>>;

/** A chunk's responses with the snapshots before and after it. */
function changesOf(before: Snapshot, after: Snapshot, exchanges: readonly Exchange[]) {
  return {
    added: (table: string): string[] =>
      [...after[table]!.keys()].filter((id) => !before[table]!.has(id)).sort(),
    changed: (table: string): string[] =>
      [...before[table]!]
        .filter(([id, digest]) => after[table]!.get(id) !== digest)
        .map(([id]) => id),
    removed: (table: string): string[] =>
      [...before[table]!.keys()].filter((id) => !after[table]!.has(id)).sort(),
    createdBy: (path: string): string[] =>
      exchanges
        .filter(({ target, answer }) => target.path === path && answer.status === 201)
        .map(({ answer }) => answer.one.id)
        .sort(),
    acceptedOn: (prefix: string): Set<string> =>
      new Set(
        targets
          .filter(({ path, objects }) => objects !== undefined && path.startsWith(prefix))
          .flatMap(({ path }) => succeeded(exchanges, path).map(({ id }) => id ?? "")),
      ),
  };
}

/** The same for members and credentials: those that no accepted request names do not change. */
function verifyPeople(
  { added, changed, removed, createdBy, acceptedOn }: ReturnType<typeof changesOf>,
  exchanges: readonly Exchange[],
): void {
  const { people } = site;
  const isDone = (...paths: readonly string[]): boolean =>
    paths.some((path) => succeeded(exchanges, path).length > 0);
  const deleted = (path: string): string[] =>
    exchanges
      .filter(({ answer, target }) => answer.status === 204 && target.path === path)
      .map(({ id }) => id ?? "")
      .sort();
  for (const table of ["beneficiary", "member", "credential", "passkey"])
    expect([table, added(table)]).toEqual([table, createdBy(`/${table}/`)]);
  for (const table of ["beneficiary", "passkey"])
    expect([table, removed(table)]).toEqual([table, deleted(`/${table}/{id}/`)]);
  const changeable: Readonly<Record<string, Set<string>>> = {
    account: new Set(
      isDone(
        ...["/store-settings/", "/webhook-secret/rotate/", "/credential/{id}/designate/"],
        "/protection-change/",
      )
        ? [people.office.accountId]
        : [],
    ),
    beneficiary: acceptedOn("/beneficiary/"),
    member: acceptedOn("/member/"),
    credential: acceptedOn("/credential/"),
    // The next one replaces one that was never confirmed.
    totp: new Set(
      isDone("/totp/", "/totp/{id}/", "/totp/{id}/confirm/")
        ? [people.holder.ids.member, people.enrolling.ids.member]
        : [],
    ),
    passkey: acceptedOn("/passkey/").add(
      isDone("/session/passkey/") ? people.returning.passkey : "",
    ),
    person_login: acceptedOn("/member/").add(
      isDone("/me/password/") ? people.changing.ids.member : "",
    ),
  };
  for (const [table, ids] of Object.entries(changeable))
    expect([table, changed(table).filter((id) => !ids.has(id))]).toEqual([table, []]);
  const given = new Set([...createdBy("/member/"), ...acceptedOn("/member/")]);
  expect(added("person_login").filter((id) => !given.has(id))).toEqual([]);
  const enrolled = isDone("/totp/") ? [people.holder.ids.member] : [];
  expect(added("totp").filter((id) => !enrolled.includes(id))).toEqual([]);
  expect(added("account")).toEqual([]);
}

/** Compares the database with a chunk's responses; resolves with the new snapshot. */
async function verifyChunk(before: Snapshot, exchanges: readonly Exchange[]): Promise<Snapshot> {
  const after = await snapshot();
  const chunkOf = changesOf(before, after, exchanges);
  const { added, changed, createdBy, acceptedOn } = chunkOf;
  const logIns = succeeded(exchanges, "/token/");
  const refreshed = succeeded(exchanges, "/token/refresh/");
  const created = exchanges.filter((exchange) => payoutMadeBy(exchange) !== null);

  expect(added("deposit")).toEqual(createdBy("/deposit/"));
  expect(added("wallet")).toEqual(createdBy("/wallet/"));
  expect(added("wallet_balance")).toEqual(createdBy("/wallet/"));
  const inBatches = await payoutsOfBatches();
  const single = (table: string) => added(table).filter((id) => !inBatches.has(id));
  expect(single("payout")).toEqual(created.map(payoutMadeBy).sort());
  const keyed = [...created, ...succeeded(exchanges, "/payout-batch/")];
  expect(single("payout_key")).toEqual(keyed.map(({ key }) => key).sort());
  const signedIn = ["/session/", "/session/second-factor/", "/session/passkey/"].flatMap((path) =>
    succeeded(exchanges, path),
  );
  expect(added("token_family")).toHaveLength(logIns.length + signedIn.length);
  const renewable = logIns.filter(({ answer }) => "refresh" in answer.one.attributes);
  expect(added("refresh_token")).toHaveLength(
    refreshed.length + renewable.length + signedIn.length,
  );
  expect([added("payout_stop"), changed("payout_stop")]).toEqual([[], []]);
  verifyPeople(chunkOf, exchanges);

  const { shop, targets: paid } = site;
  const deposits = acceptedOn("/deposit/").add(paid.deposit);
  const payouts = acceptedOn("/payout/");
  const own = await ownersOf([...added("transfer"), ...changed("transfer")]);
  const paidBack = new Set(
    [...own].flatMap(([id, { deposit }]) => (acceptedOn("/transfer/").has(id) ? [deposit] : [])),
  );
  const isTouched = (id: string): boolean => deposits.has(id) || paidBack.has(id);
  expect(changed("deposit").filter((id) => !isTouched(id))).toEqual([]);
  const switched = succeeded(exchanges, "/kill-switch/");
  const released = succeeded(exchanges, "/kill-switch/{switch}/release/");
  const wallets = acceptedOn("/wallet/");
  for (const { answer } of [...switched, ...released])
    wallets.add(answer.one.id.replace("wallet-", ""));
  expect(changed("wallet").filter((id) => !wallets.has(id))).toEqual([]);
  expect(changed("payout").filter((id) => !payouts.has(id))).toEqual([]);
  const paying = new Set([...Object.values(shop.wallets), paid.wallet]);
  expect(changed("wallet_balance").filter((id) => !paying.has(id))).toEqual([]);
  const resent = acceptedOn("/callback/");
  if (succeeded(exchanges, "/callback/resend/").length > 0)
    for (const id of site.people.callbacks) resent.add(id);
  expect(changed("callback").filter((id) => !resent.has(id))).toEqual([]);
  expect(
    changed("transfer").filter((id) => {
      const { payout, deposit } = own.get(id)!;
      return payout === null ? !isTouched(deposit ?? "") : !payouts.has(payout);
    }),
  ).toEqual([]);
  const sent = added("transfer").flatMap((id) => own.get(id)?.payout ?? []);
  expect(sent.sort()).toEqual(added("payout"));
  return after;
}

/** The payouts of batches and their idempotency keys: a row of a batch pays once (payout-batch.test.ts). */
async function payoutsOfBatches(): Promise<ReadonlySet<string>> {
  const rows = await database.sql<{ id: string; key: string }>(
    "select k.payout_id::text as id, k.key::text as key from payout_batch_row r join payout_key k using (account_id, key)",
  );
  return new Set(rows.flatMap(({ id, key }) => [id, key]));
}

type Owner = {
  readonly id: string;
  readonly payout: string | null;
  readonly deposit: string | null;
};

/** The payout that sent a transfer, or the deposit that received it. */
async function ownersOf(transfers: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  const rows = await database.sql<Owner>(
    `select id, case when op_type = 2 then payout_id end as payout, deposit_id as deposit
     from transfer where id = any($1::bigint[])`,
    [transfers],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A repeated creation of a payout is refused, and the same document gets the payout's id. */
async function verifyReplays(exchanges: readonly Exchange[]): Promise<void> {
  const created = exchanges.filter((exchange) => payoutMadeBy(exchange) !== null).slice(0, 5);
  for (const exchange of created) {
    const { request } = exchange;
    const again = await api.ask(request);
    expect([describeResponse(again), again.errors[0]?.meta]).toEqual([
      "409 1004 idempotency-key",
      { payout_id: payoutMadeBy(exchange) },
    ]);
    const text = new TextDecoder().decode(request.body as Uint8Array);
    const body = text.replace(/\}\s*$/, ',"meta":{"another":1}}');
    const other = await api.ask({ ...request, body: new TextEncoder().encode(body) });
    expect([describeResponse(other), other.errors[0]?.meta]).toEqual([
      "409 1004 idempotency-key",
      undefined,
    ]);
  }
}

describe(`requests with seed ${seed}`, () => {
  it("targets every JSON:API route that changes data", () => {
    const paths = Object.entries(api.description()["paths"] as Record<string, JsonObject>);
    const routes = paths
      // Payers' pages send plain JSON: payment-page.test.ts and payment-link.test.ts in src/http/deposits/.
      .filter(([path]) => !/^\/(?:pay|link)\//.test(path))
      .flatMap(([path, item]) =>
        Object.keys(item)
          .filter((method) => !["get", "options"].includes(method))
          .map((method) => `${method.toUpperCase()} ${path}`),
      );
    const covered = targets.map(({ method, path }) => `${method} ${path}`);
    expect([...covered, ...cookieAlone].sort()).toEqual(routes.sort());
  });

  it("starts from valid documents", async () => {
    const refused: string[] = [];
    for (const target of targets)
      for (const [place, document] of validOf(target).entries()) {
        // Each document uses another object.
        const { answer } = await send(
          { target, body: JSON.stringify(document), id: null },
          200 + place,
        );
        if (answer.status >= 300) refused.push(`${target.path} ${describeResponse(answer)}`);
        if (target.path === "/token/refresh/")
          site = { ...site, refresh: answer.one.attributes["refresh"] as string };
      }
    // No fee can be quoted for bitcoin here.
    expect(refused).toEqual(["/payout/ 503 4018"]);
  });

  // Runs first, because confirmations expire five minutes after signing in.
  it("leaves the state that the answers describe after mutations of members and credentials", {
    timeout,
  }, async () => {
    const statuses = await mutate(peopleTargets, peopleMutations);
    for (const status of [200, 201, 400, 401, 404])
      expect(statuses.get(status) ?? 0).toBeGreaterThan(10);
  });

  it("leaves the state that the answers describe after ten thousand other mutations", {
    timeout,
  }, async () => {
    const statuses = await mutate(mutationTargets, mutations);
    // Some mutations are accepted, and some are rejected.
    for (const status of [200, 201, 400, 409, 503])
      expect(statuses.get(status) ?? 0).toBeGreaterThan(status === 503 ? 10 : 100);
    await expectBooksToBalance(database);
  });
});

/** Sends mutations of these targets' documents and compares each chunk with the database; returns the count of each status. */
async function mutate(of: readonly Target[], count: number): Promise<ReadonlyMap<number, number>> {
  const all = fc.sample(anyMutation(of, site), { numRuns: count, seed });
  const statuses = new Map<number, number>();
  let before = await snapshot();
  for (let from = 0; from < all.length; from += chunk) {
    // Without a worker here, payouts would be paused two minutes after the last block.
    await database.sql("update chain_cursor set caught_up_at = $1", [
      formatTimestamp(api.clock.now()),
    ]);
    const shared = Array.from({ length: 4 }, () => systemRandom.uuid());
    const exchanges = await sendAll(
      all.slice(from, from + chunk),
      ({ target, body }) => `${target.method} ${target.path} ${body.slice(0, 2_000)}`,
      (mutation, place) =>
        send(mutation, place, mutation.isKeyShared ? shared[place % shared.length] : undefined),
    );
    before = await verifyChunk(before, exchanges);
    await verifyReplays(exchanges);
    for (const { answer } of exchanges)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  expect(api.failures()).toEqual([]);
  expect("polluted" in {}).toBe(false);
  return statuses;
}
