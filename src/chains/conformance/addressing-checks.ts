import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { type Addressing, type Destination, type SharedAddressing } from "../port.ts";
import { type ConformanceCheck, check, depositOf, keyOf } from "./conformance-check.ts";

/** Addresses: one spelling, one owner, two computations that agree. */
export const addressingChecks: readonly ConformanceCheck[] = [
  check("every deposit address parses to itself", (driver) => {
    const { addressing } = driver.adapter;
    for (const type of addressing.types) {
      for (const destination of depositsOf(addressing, type.name, 25)) {
        const parsed = addressing.parse(destination.address, destination.tag);
        deepEqual(parsed, destination);
        equal(addressing.watchKey(parsed), addressing.watchKey(destination));
      }
    }
    return Promise.resolve();
  }),
  check("addresses that cannot be paid on this network do not parse", (driver) => {
    const { addressing } = driver.adapter;
    const [{ address } = { address: "" }] = depositsOf(addressing, null, 1);
    ok(driver.unpayable.length > 0);
    for (const text of ["", " ", `${address}0`, address.slice(0, -1), ...driver.unpayable]) {
      equal(addressing.parse(text, null), null, `parsed: ${JSON.stringify(text)}`);
    }
    return Promise.resolve();
  }),
  check("no two deposits and no two address types share a destination", (driver) => {
    const { addressing } = driver.adapter;
    const addresses = new Set<string>();
    const watchKeys = new Set<string>();
    for (const type of addressing.types) {
      for (const destination of depositsOf(addressing, type.name, 200)) {
        addresses.add(`${destination.address} ${destination.tag ?? ""}`);
        watchKeys.add(addressing.watchKey(destination));
      }
    }
    equal(addresses.size, 200 * addressing.types.length);
    equal(watchKeys.size, 200 * addressing.types.length);
    return Promise.resolve();
  }),
  check("two computations always give the same deposit address", (driver) => {
    const { addressing } = driver.adapter;
    switch (addressing.source) {
      case "derived":
        for (const { name } of addressing.types) {
          for (const index of [0, 1, 2, 1000, 65_536, 2 ** 31 - 1]) {
            const destination = addressing.depositAt(index, name);
            deepEqual(addressing.rederiveDepositAt(index, name), destination);
            deepEqual(addressing.depositAt(index, name), destination);
          }
        }
        break;
      case "created":
        for (let index = 0; index < 25; index += 1)
          deepEqual(addressing.addressAgain(keyOf(index)), addressing.addressOf(keyOf(index)));
        break;
      case "shared":
        for (const index of [0, 1, 2, 1000, 65_536, 20_000_000]) verifyTag(addressing, index);
        break;
    }
    return Promise.resolve();
  }),
  check("our own addresses are distinct and never a deposit's", (driver) => {
    const { addressing } = driver.adapter;
    const { changeAt, treasury } = addressing;
    const accounts = treasury === null ? [] : [treasury.hot, treasury.gas];
    const own = [
      ...(changeAt === null ? [] : Array.from({ length: 50 }, (_, index) => changeAt(index))),
      ...accounts.filter((account) => account !== null),
    ];
    const keys = new Set(own.map(addressing.watchKey));
    equal(keys.size, own.length);
    for (const destination of own)
      deepEqual(addressing.parse(destination.address, null), destination);
    for (const type of addressing.types)
      for (const destination of depositsOf(addressing, type.name, 50))
        equal(keys.has(addressing.watchKey(destination)), false);
    return Promise.resolve();
  }),
  check(
    "every transfer to a shared account shows its tag, and the operator's tag is no deposit's",
    (driver) => {
      const { addressing } = driver.adapter;
      if (addressing.source === "shared") verifySharedAccount(addressing);
      return Promise.resolve();
    },
  ),
  check("exactly one address type is the default, and null means it", (driver) => {
    const { addressing } = driver.adapter;
    const defaults = addressing.types.filter((type) => type.isDefault);
    equal(defaults.length, 1);
    deepEqual(
      depositsOf(addressing, null, 8),
      depositsOf(addressing, defaults[0]?.name ?? null, 8),
    );
    return Promise.resolve();
  }),
];

/** The first deposits' addresses. */
function depositsOf(
  addressing: Addressing,
  addressType: string | null,
  count: number,
): readonly Destination[] {
  return Array.from({ length: count }, (_, index) => depositOf(addressing, index, addressType));
}

/** The tag leads back to its index; one wrong digit leads nowhere. */
function verifyTag(addressing: SharedAddressing, index: number): void {
  const { address, tag } = addressing.depositAt(index, null);
  equal(address, addressing.treasury.hot.address);
  equal(addressing.treasury.hot.tag, null);
  notEqual(tag, null);
  if (tag === null) return;
  equal(addressing.depositIndexOf(tag), index);
  for (let place = 0; place < tag.length; place += 1) {
    for (const digit of "0123456789") {
      const typed: string = tag.slice(0, place) + digit + tag.slice(place + 1);
      if (typed !== tag) equal(addressing.depositIndexOf(typed), null, `${typed} is a deposit's`);
    }
  }
}

/** Whatever tag a transfer names, it reached the account; the operator's own money has a tag that is no deposit's. */
function verifySharedAccount({
  treasury,
  ownFunds,
  depositAt,
  depositIndexOf,
  receivedUnder,
  watchKey,
  parse,
}: SharedAddressing): void {
  const { hot } = treasury;
  equal(ownFunds.address, hot.address);
  const ownTag = ownFunds.tag ?? "";
  notEqual(ownTag, "");
  equal(depositIndexOf(ownTag), null);
  deepEqual(parse(ownFunds.address, ownTag), ownFunds);
  for (const tag of [null, "0", ownTag, depositAt(0, null).tag])
    deepEqual(receivedUnder(watchKey({ ...hot, tag })), { tag });
  equal(receivedUnder("somewhere else"), null);
}
