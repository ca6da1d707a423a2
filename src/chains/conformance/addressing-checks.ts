import { deepEqual, equal, ok } from "node:assert/strict";
import { type ConformanceCheck, check, tagText } from "./conformance-check.ts";

/** Addresses: one spelling, one owner, two derivations that agree. */
export const addressingChecks: readonly ConformanceCheck[] = [
  check("every deposit address parses to itself", (driver) => {
    const { addressing } = driver.adapter;
    for (const type of addressing.types) {
      for (let index = 0; index < 25; index += 1) {
        const destination = addressing.depositAt(index, type.name);
        const parsed = addressing.parse(destination.address, tagText(destination));
        deepEqual(parsed, destination);
        equal(addressing.watchKey(parsed), addressing.watchKey(destination));
      }
    }
    return Promise.resolve();
  }),
  check("addresses that cannot be paid on this network do not parse", (driver) => {
    const { addressing } = driver.adapter;
    const { address } = addressing.depositAt(0, null);
    ok(driver.unpayable.length > 0);
    for (const text of ["", " ", `${address}0`, address.slice(0, -1), ...driver.unpayable]) {
      equal(addressing.parse(text, null), null, `parsed: ${JSON.stringify(text)}`);
    }
    return Promise.resolve();
  }),
  check("no two indices and no two address types share an address", (driver) => {
    const { addressing } = driver.adapter;
    const addresses = new Set<string>();
    const watchKeys = new Set<string>();
    for (const type of addressing.types) {
      for (let index = 0; index < 200; index += 1) {
        const destination = addressing.depositAt(index, type.name);
        addresses.add(`${destination.address} ${tagText(destination) ?? ""}`);
        watchKeys.add(addressing.watchKey(destination));
      }
    }
    equal(addresses.size, 200 * addressing.types.length);
    equal(watchKeys.size, 200 * addressing.types.length);
    return Promise.resolve();
  }),
  check("both derivations always give the same address", (driver) => {
    const { addressing } = driver.adapter;
    for (const type of addressing.types) {
      for (const index of [0, 1, 2, 1000, 65_536, 2 ** 31 - 1]) {
        const destination = addressing.depositAt(index, type.name);
        deepEqual(addressing.rederiveDepositAt(index, type.name), destination);
        deepEqual(addressing.depositAt(index, type.name), destination);
      }
    }
    return Promise.resolve();
  }),
  check("our own addresses are distinct and never a deposit's", (driver) => {
    const { addressing } = driver.adapter;
    const { changeAt, treasury } = addressing;
    const own = [
      ...(changeAt === null ? [] : Array.from({ length: 50 }, (_, index) => changeAt(index))),
      ...(treasury === null ? [] : [treasury.hot, treasury.gas]),
    ];
    const keys = new Set(own.map(addressing.watchKey));
    equal(keys.size, own.length);
    for (const destination of own)
      deepEqual(addressing.parse(destination.address, null), destination);
    for (const type of addressing.types)
      for (let index = 0; index < 50; index += 1)
        equal(keys.has(addressing.watchKey(addressing.depositAt(index, type.name))), false);
    return Promise.resolve();
  }),
  check("exactly one address type is the default, and null means it", (driver) => {
    const { addressing } = driver.adapter;
    const defaults = addressing.types.filter((type) => type.isDefault);
    equal(defaults.length, 1);
    deepEqual(addressing.depositAt(7, null), addressing.depositAt(7, defaults[0]?.name ?? null));
    return Promise.resolve();
  }),
];
