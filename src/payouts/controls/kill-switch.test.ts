import { describe, expect, it } from "vitest";
import { type NamedSwitch, parseSwitchId, switchId } from "./kill-switch.ts";

describe("parseSwitchId", () => {
  it.each([
    ["all", { scope: "all", kind: "kill_switch" }],
    ["restore-all", { scope: "all", kind: "restore" }],
    ["chain-ETH-BASE", { scope: "chain", chain: "ETH-BASE", kind: "kill_switch" }],
    ["reconciliation-BTC", { scope: "chain", chain: "BTC", kind: "reconciliation" }],
    ["wallet-9", { scope: "wallet", walletId: "9" }],
  ] as const satisfies readonly (readonly [string, NamedSwitch])[])(
    "parses %s as %j",
    (id, named) => {
      expect(parseSwitchId(id)).toEqual(named);
      expect(switchId(named)).toBe(id);
    },
  );

  it.each(["", "All", "chain-", "wallet-0", "wallet-nine", "reconciliation-", "chain-../x"])(
    "returns null for %j",
    (id) => {
      expect(parseSwitchId(id)).toBeNull();
    },
  );
});
