import { findChain } from "../../currencies/chains.ts";
import type { StateContext } from "../../deposits/checkout/compose-state.ts";
import { createDrawQr } from "../../deposits/checkout/draw-qr.ts";
import { createFindPausedChains } from "../../deposits/checkout/find-paused-chains.ts";
import { listChangedPages } from "../../deposits/checkout/page.store.ts";
import { createReadCheckout } from "../../deposits/checkout/read-checkout.ts";
import { createPageWatch } from "../../deposits/checkout/watch-pages.ts";
import type { CreateContext } from "../../deposits/create/create-deposit.ts";
import type { OpenLocksLimit } from "../../deposits/create/grant-locks.ts";
import { readStoreImageContent } from "../../deposits/storefront/store-image.store.ts";
import { depositPayerRoutes } from "../../http/deposits/deposit-payer.ts";
import { embedScriptRoute } from "../../http/deposits/embed-script.ts";
import { paymentLinkRoutes } from "../../http/deposits/payment-link.ts";
import { paymentLinkPageRoutes } from "../../http/deposits/payment-link-page.ts";
import { paymentPageRoutes } from "../../http/deposits/payment-page.ts";
import { paymentPageEvents } from "../../http/deposits/payment-page-events.ts";
import { storeImageRoute } from "../../http/deposits/store-image.ts";
import { storeSettingsRoutes } from "../../http/deposits/store-settings.ts";
import type { Route } from "../../http/server/route.ts";
import { readWebProgram } from "../../http/server/web-program.ts";
import { isSandbox } from "../config/is-sandbox.ts";
import { familyOf } from "../families/families.ts";
import type { Foundation } from "./foundation.ts";
import { payeeAddressing } from "./payee-addressing.ts";

/** Builds the routes of the payment pages (built in the folder `builtPages`), of payment links, and of the store settings. `close` ends the streams of open pages. */
export function buildPaymentPages(
  foundation: Foundation,
  deposits: CreateContext & { readonly openLocks: OpenLocksLimit },
  builtPages: string,
): { readonly routes: readonly Route[]; readonly close: () => void } {
  const { config, db, clock, random, logger, enabledChains, baseUrl } = foundation;
  const findPausedChains = createFindPausedChains(db, clock, enabledChains);
  const readCheckout = createReadCheckout({
    ...foundation,
    ...stateContext(foundation),
    findPausedChains,
  });
  const watch = createPageWatch({
    read: readCheckout,
    listChanged: (known) => listChangedPages(db, known),
    clock,
    logger,
  });
  const events = paymentPageEvents({
    watch,
    clock,
    random,
    limits: {
      total: config.payment_pages.streams_max,
      perAddress: config.payment_pages.streams_per_address_max,
    },
  });
  const pages = paymentPageRoutes({
    ...deposits,
    db,
    page: readWebProgram(builtPages),
    readCheckout,
    baseUrl,
    seal: foundation.seal,
    sendsEmail: config.mail !== undefined,
    isPaused: async (chain) => (await findPausedChains()).has(chain),
    findAddressing: (chain) => payeeAddressing(foundation, chain),
  });
  return {
    routes: [
      ...pages,
      ...events.routes,
      ...depositPayerRoutes({ db }),
      ...storeSettingsRoutes({ ...deposits, db, clock, baseUrl }),
      embedScriptRoute(),
      ...paymentLinkRoutes({
        ...deposits,
        db,
        clock,
        random,
        baseUrl,
        findWallet: deposits.writer.readFacts,
      }),
      ...paymentLinkPageRoutes({
        ...deposits,
        db,
        page: readWebProgram(builtPages, "link.html"),
        baseUrl,
        isSandbox: isSandbox(foundation.config),
      }),
      storeImageRoute((digest) => readStoreImageContent(db, digest)),
    ],
    close: events.close,
  };
}

/** Private and test networks count as simulated. */
function stateContext(foundation: Foundation): StateContext {
  const { config, currencies } = foundation;
  const chains = Object.entries(config.chains);
  const eip155Ids = new Map(
    chains.map(([chain, settings]) => [chain, familyOf(chain).eip155Id(settings)]),
  );
  return {
    currencies,
    drawQr: createDrawQr(),
    evmChainIdOf: (chain) => eip155Ids.get(chain) ?? null,
    findAddressing: (chain) => payeeAddressing(foundation, chain),
    explorerOf: (chain) =>
      config.chains[chain]?.network === "mainnet" ? (findChain(chain)?.explorer ?? null) : null,
    simulatedChains: new Set(
      chains.filter(([, { network }]) => network !== "mainnet").map(([chain]) => chain),
    ),
    isSandbox: isSandbox(foundation.config),
    sendsEmail: config.mail !== undefined,
  };
}
