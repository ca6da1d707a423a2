import { compileCallbackPolicy } from "../../callbacks/callback-url.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import {
  createRateProviders,
  type RateSourceName,
} from "../../currencies/rates/create-rate-providers.ts";
import { createFetchText } from "../../currencies/rates/fetch-text.ts";
import { type CurrencyRegistry, createRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { callbackSettings } from "../build/callback-settings.ts";
import { createScreening } from "../build/create-screening.ts";
import { openMailTransport } from "../build/mail.ts";
import { pushContact } from "../build/push.ts";
import type { Config } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { examine, type Finding, type Found } from "./finding.ts";

/** Checks every rate source, the screening service, and the rules for callbacks. */
export function checkSources(config: Config, clock: Clock): readonly Promise<Finding>[] {
  const fetchText = createFetchText({ clock });
  const currencies = createRegistry(deploymentCurrencies(currencySettings(config)).currencies);
  const rates = config.rates.sources.map(({ source, base_url }) =>
    examine(`rates ${source}`, clock, async (signal) => {
      const name = source as RateSourceName;
      const settings =
        base_url === undefined ? { source: name } : { source: name, baseUrl: base_url };
      const [provider] = createRateProviders([settings], currencies, fetchText, clock);
      const quotes = await present(provider, source).fetch(signal);
      if (quotes.size === 0)
        throw new Error("it answers, but has no price of any configured currency");
      return { detail: `${quotes.size} prices` };
    }),
  );
  return [
    ...rates,
    examine("conversions", clock, () => Promise.resolve(checkPositionLimits(config, currencies))),
    examine("rate locks", clock, () => Promise.resolve(checkRateLocks(config))),
    examine("screening", clock, (signal) => checkScreeningService(config, fetchText, signal)),
    examine("mail", clock, () => checkMailServer(config)),
    examine("web push", clock, () => Promise.resolve(checkWebPush(config))),
    examine("callbacks", clock, () => {
      compileCallbackPolicy(callbackSettings(config));
      const { allows_http, allowed_networks } = config.callbacks;
      const notes = [
        ...(allows_http ? ["receivers without TLS are allowed"] : []),
        ...allowed_networks.map((network) => `the private network ${network} is reachable`),
      ];
      return Promise.resolve({ detail: "the rules are valid", notes });
    }),
  ];
}

/** Without a limit, conversions can move the operator's position in a currency without bound. */
function checkPositionLimits(config: Config, currencies: CurrencyRegistry): Found {
  const limits = config.conversions.position_max;
  const unbounded = Object.keys(config.chains)
    .flatMap((chain) => currencies.onChain(chain))
    .filter(({ alpha, pricedAs }) => pricedAs !== null && limits[alpha] === undefined)
    .map(({ alpha }) => alpha);
  const note = `the position from conversions is unlimited in ${unbounded.join(", ")}: set conversions.position_max`;
  return {
    detail: `${Object.keys(limits).length} currencies have a position limit`,
    notes: unbounded.length === 0 ? [] : [note],
  };
}

/** Without a limit, an account may lock rates for any amount and pay only when the price moved in its favor. */
function checkRateLocks(config: Config): Found {
  const max = config.deposits.open_locks_max;
  if (max !== undefined)
    return { detail: `an account may hold open rate locks worth ${max.amount} ${max.currency}` };
  const note = "an account's open rate locks are unlimited: set deposits.open_locks_max";
  return { detail: "an account's open rate locks are unlimited", notes: [note] };
}

/** Connects, negotiates TLS and signs in, as the worker does before it sends. */
async function checkMailServer({ mail }: Config): Promise<Found> {
  if (mail === undefined)
    return {
      detail:
        "none is configured: nobody is notified by email, invited or helped with a lost password",
    };
  const transport = await openMailTransport(mail);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
  const { host, port, tls } = mail;
  return {
    detail: `${host}:${port} answers`,
    notes: tls === "none" ? ["emails are submitted without TLS: set mail.tls"] : [],
  };
}

/** Push services are found by the browsers that subscribe, so there is none to connect to. */
function checkWebPush(config: Config): Found {
  if (!config.web_push.enabled) return { detail: "turned off: nobody is notified in a browser" };
  const contact = pushContact(config);
  return {
    detail: contact === null ? "on" : `on; push services may write to ${contact}`,
    notes: [
      ...(contact === null ? ["some push services refuse senders without web_push.contact"] : []),
      ...(config.base_url.startsWith("https:")
        ? []
        : ["browsers subscribe on pages with TLS only: base_url is not https"]),
    ],
  };
}

/** Asks about a payment of zero without a sender, so that a wrong URL or token shows before money depends on it. */
async function checkScreeningService(
  config: Config,
  fetchText: FetchText,
  signal: AbortSignal,
): Promise<Found> {
  const provider = await createScreening(config, fetchText);
  if (provider === null) return { detail: "none is configured: payments are not screened" };
  const [chain = ""] = Object.keys(config.chains);
  const { risk, verdict } = await provider.screen(
    {
      direction: "deposit",
      chain,
      currency: chain,
      amount: formatDecimal(0n, 8),
      address: "sluice-check",
      from: [],
      txid: null,
    },
    signal,
  );
  return { detail: `${provider.name} answers (${verdict}, risk ${risk})` };
}
