import { expect, test } from "vitest";
import { ConfigFault, parseConfig } from "./read-config.ts";

/** A configuration file is read whole, and every fault is told with the line and column where it stands. */

const valid = `base_url = "https://pay.example.com"

[database]
url = "postgres://sluice@db/sluice"

[keys]
data_key_files = ["/etc/sluice/data.key"]

[signer]
folder = "/var/lib/sluice/signer"
passphrase_file = "/etc/sluice/passphrase"

[chains.BTC]
network = "mainnet"
nodes = ["http://user:password@10.0.0.5:8332"]
`;

function faultsOf(text: string, file = "sluice.toml"): string[] {
  try {
    parseConfig(text, file);
  } catch (error) {
    if (error instanceof ConfigFault) return error.message.split("\n");
    throw error;
  }
  return [];
}

test("a minimal file reads with defaults", () => {
  const config = parseConfig(valid, "sluice.toml");
  expect(config.listen).toEqual({ host: "127.0.0.1", port: 8080 });
  expect(config.throttle.token).toBe(15);
  expect(config.rates.sources.length).toBeGreaterThanOrEqual(3);
});

test("the same as JSON", () => {
  const config = parseConfig(valid, "sluice.toml");
  expect(parseConfig(JSON.stringify(config), "sluice.json")).toEqual(config);
});

test.each([
  [
    "a wrong type",
    valid.replace('nodes = ["http', 'nodes = [7, "http'),
    /^sluice\.toml:15:10 chains\.BTC\.nodes\.0: /,
  ],
  ["a missing member", valid.replace(/^folder.*\n/m, ""), /^sluice\.toml:9:1 signer\.folder: /],
  [
    "an unknown member",
    valid.replace("[keys]", "[keys]\ncolour = 1"),
    /^sluice\.toml:6:1 keys: .*colour/,
  ],
  [
    "an unknown chain",
    valid.replace("chains.BTC", "chains.XYZ"),
    /^sluice\.toml:13:1 chains\.XYZ: there is no such chain/,
  ],
  [
    "a chain that is not built",
    valid.replace("chains.BTC", "chains.ADA"),
    /^sluice\.toml:13:1 chains\.ADA: this chain cannot be followed yet/,
  ],
  [
    "an override of no currency",
    `${valid}\n[[currencies]]\ncurrency = "NOPE"\n`,
    /^sluice\.toml:18:1 currencies\.0\.currency: /,
  ],
  ["broken syntax", valid.replace("[keys]", "[keys"), /^sluice\.toml:7:1 /],
])("%s is told with its place", (_name, text, expected) => {
  const faults = faultsOf(text);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(expected);
});

test("a fault in JSON has its place too", () => {
  const text = JSON.stringify({ ...parseConfig(valid, "a.toml"), base_url: 5 }, null, 2);
  expect(faultsOf(text, "sluice.json")[0]).toMatch(/^sluice\.json:2:15 base_url: /);
});

test("several faults come together", () => {
  const text = valid.replace("https://pay.example.com", "ftp://x").replace('"mainnet"', '"moon"');
  expect(faultsOf(text)).toHaveLength(2);
});
