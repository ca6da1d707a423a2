import { join } from "node:path";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { RateSourceSettings } from "../../currencies/rates/create-rate-providers.ts";
import type { SandboxChain } from "../../sandbox/sandbox-file.ts";
import { sandboxFamilyOf } from "../families/sandbox-families.ts";
import { type Config, configSchema } from "./config.ts";

/** Most confirmations that anything in the sandbox needs. */
const confirmationsMax = 12;

export type SandboxSite = {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly chains: Readonly<Record<string, SandboxChain>>;
  /** Chains that could run and were not selected. */
  readonly unselected: readonly ChainId[];
  readonly rateSources: readonly RateSourceSettings[];
  readonly screeningUrl: string;
  /** Null: no email is sent. */
  readonly mail: { readonly host: string; readonly port: number } | null;
};

/** The sandbox is an ordinary deployment; this is its configuration, validated like any other. */
export function sandboxConfig(site: SandboxSite): Config {
  const reached = site.host === "0.0.0.0" || site.host === "::" ? "127.0.0.1" : site.host;
  const tokens = Object.assign(
    {},
    ...Object.entries(site.chains).map(([id, chain]) => sandboxFamilyOf(id).tokens(chain)),
  ) as Record<string, string>;
  return configSchema.parse({
    base_url: `http://${reached}:${site.port}`,
    listen: { host: site.host, port: site.port },
    // Everyone who reaches a sandbox may read its metrics.
    http: { metrics_networks: ["0.0.0.0/0", "::/0"] },
    database: { url: site.databaseUrl },
    keys: { data_key_files: [join(site.home, "data.key")] },
    signer: {
      folder: join(site.home, "signer"),
      passphrase_file: join(site.home, "passphrase"),
      approval_key_files: [join(site.home, "approval.pub")],
    },
    payouts: { approval_key_file: join(site.home, "approval.key"), token_fees: "operator" },
    chains: Object.fromEntries(
      Object.entries(site.chains).map(([id, chain]) => [
        id,
        {
          network: "regtest",
          nodes: [chain.rpc_url],
          start_height: 0,
          ...sandboxFamilyOf(id).chainConfig(chain),
        },
      ]),
    ),
    disabled_chains: site.unselected,
    currencies: builtInCurrencies.flatMap((currency) => {
      const contract = tokens[currency.alpha];
      const isSlow = currency.confirmationBlocks > confirmationsMax;
      if (contract === undefined && !isSlow) return [];
      return [
        {
          currency: currency.alpha,
          ...(contract === undefined ? {} : { contract }),
          ...(isSlow ? { confirmation_blocks: confirmationsMax } : {}),
        },
      ];
    }),
    rates: {
      sources: site.rateSources.map(({ source, baseUrl }) => ({ source, base_url: baseUrl })),
    },
    screening: { url: site.screeningUrl },
    callbacks: {
      allows_http: true,
      allowed_ports: [],
      allowed_networks: ["127.0.0.0/8", "::1/128"],
      // A developer who tests a failing receiver wants to see retries, not the breaker.
      failures_to_open: 100,
    },
    ...(site.mail === null
      ? {}
      : {
          mail: {
            ...site.mail,
            tls: "none",
            from: "notifications@sluice.example",
            from_name: "Sluice sandbox",
            // A developer who causes the second event within a minute wants to see its email.
            quiet_seconds: 10,
          },
        }),
    web_push: { quiet_seconds: 10 },
    people: { approver_min_age_seconds: 0, loosening_wait_seconds: 60 },
    deposits: { addresses_ahead: 200 },
    log: { level: "warn" },
  });
}
