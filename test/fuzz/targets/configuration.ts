import { ConfigFault, parseConfig } from "../../../src/main/config/read-config.ts";
import { rejecting, type Target, textOf } from "../engine/target.ts";

const toml = `base_url = "https://pay.example.com"

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
const json = {
  base_url: "https://pay.example.com",
  database: { url: "postgres://sluice@db/sluice" },
  keys: { data_key_files: ["/etc/sluice/data.key"] },
  signer: { folder: "/var/lib/sluice/signer", passphrase_file: "/etc/sluice/passphrase" },
  chains: { BTC: { network: "mainnet", nodes: ["http://user:password@10.0.0.5:8332"] } },
};

/** An operator's configuration: every fault is named with its place. */
export const configurationTargets: readonly Target[] = [
  {
    name: "configuration-toml",
    form: "text",
    seeds: () => [toml],
    words: ["[chains.ETH]", "[[", "'''", "= 1e400", "= 2026-01-01", "= [", "= {", "\\u0000"],
    run: (input) => rejecting([ConfigFault], () => parseConfig(textOf(input), "sluice.toml")),
  },
  {
    name: "configuration-json",
    form: "json",
    seeds: () => [JSON.stringify(json)],
    run: (input) => rejecting([ConfigFault], () => parseConfig(textOf(input), "sluice.json")),
  },
];
