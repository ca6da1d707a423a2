import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { createXrplPayeeAddressing } from "../../src/chains/xrpl/payee-addressing.ts";
import { createFindAvailability } from "../../src/currencies/find-availability.ts";
import type { CheckoutState } from "../../src/deposits/checkout/checkout-state.ts";
import { createDrawQr } from "../../src/deposits/checkout/draw-qr.ts";
import { createFindPausedChains } from "../../src/deposits/checkout/find-paused-chains.ts";
import { listChangedPages } from "../../src/deposits/checkout/page.store.ts";
import { createReadCheckout } from "../../src/deposits/checkout/read-checkout.ts";
import { createPageWatch, type PageWatchContext } from "../../src/deposits/checkout/watch-pages.ts";
import { readStoreImageContent } from "../../src/deposits/storefront/store-image.store.ts";
import { depositPayerRoutes } from "../../src/http/deposits/deposit-payer.ts";
import { embedScriptRoute } from "../../src/http/deposits/embed-script.ts";
import { paymentLinkRoutes } from "../../src/http/deposits/payment-link.ts";
import { paymentLinkPageRoutes } from "../../src/http/deposits/payment-link-page.ts";
import { paymentPageRoutes } from "../../src/http/deposits/payment-page.ts";
import { paymentPageEvents } from "../../src/http/deposits/payment-page-events.ts";
import { storeImageRoute } from "../../src/http/deposits/store-image.ts";
import type { WebProgram } from "../../src/http/server/web-program.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import type { JsonValue } from "../../src/platform/kernel/json.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { apiServer, type SeenError, type TestApi } from "./api-server.ts";
import { testSeal, testWriter } from "./deposit-api.ts";
import { type DepositWorld, testKeyspace } from "./deposit-world.ts";
import { testAddressing } from "./payout-world.ts";

const enabledChains = new Set(["ETH", "BTC"]);
const xrpl = createXrplPayeeAddressing("main");
const findAddressing = (chain: string) => (chain === "XRP" ? xrpl : testAddressing[chain]) ?? null;
export const evmChainId = 1337;

/** A minimal built page. */
export const builtPage: WebProgram = {
  html: '<title>Payment</title><script type="application/json" id="state"></script><noscript><p id="plain">No instructions</p></noscript>',
  answerFile: (path) =>
    path === "assets/page-1a2b.js"
      ? { status: 200, contentType: "text/javascript", body: "start()" }
      : null,
};

export type PageAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly state: CheckoutState;
  readonly errors: readonly SeenError[];
};

export type PaymentPages = {
  readonly api: TestApi;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<PageAnswer>;
  /** Sends JSON as the page does; `headers` override. */
  readonly post: (
    path: string,
    body: JsonValue | Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<PageAnswer>;
  readonly stateOf: (deposit: { readonly paymentPageId: string }) => Promise<CheckoutState>;
  /** The context of the watch on open pages. */
  readonly watching: PageWatchContext;
  readonly openStreams: () => number;
  /** Ends the streams as the server does on shutdown. */
  readonly closeStreams: () => void;
};

/** Serves payment pages with a world's database, clock and prices. Ethereum and Bitcoin are enabled. */
export function paymentPages(
  world: DepositWorld,
  settings: {
    readonly page?: WebProgram;
    readonly limits?: { readonly total: number; readonly perAddress: number };
    /** Clock of the watch on open pages. */
    readonly watchClock?: Clock;
    readonly addressPatienceMs?: number;
    readonly sendsEmail?: boolean;
  } = {},
): PaymentPages {
  const { database, clock } = world;
  const { db } = database;
  const findPausedChains = createFindPausedChains(db, clock, enabledChains);
  const readCheckout = createReadCheckout({
    ...world.context,
    findAvailability: createFindAvailability({ enabled: enabledChains, disabled: new Set() }),
    findKeyspace: testKeyspace,
    findPausedChains,
    drawQr: createDrawQr(),
    evmChainIdOf: (chain) => (chain === "ETH" ? evmChainId : null),
    findAddressing,
    explorerOf: (chain) => (chain === "BTC" ? "https://explorer.example/tx/" : null),
    simulatedChains: new Set(["ETH"]),
    isSandbox: false,
    sendsEmail: settings.sendsEmail ?? false,
  });
  const watchClock = settings.watchClock ?? { ...systemClock, now: clock.now };
  const watching: PageWatchContext = {
    read: readCheckout,
    listChanged: (known) => listChangedPages(db, known),
    clock: watchClock,
    logger: silentLogger,
  };
  const events = paymentPageEvents({
    watch: createPageWatch(watching),
    clock: watchClock,
    random: systemRandom,
    limits: settings.limits ?? { total: 100, perAddress: 100 },
  });
  const links = {
    ...world.context,
    db,
    clock,
    seal: testSeal,
    sendsEmail: settings.sendsEmail ?? false,
    findKeyspace: testKeyspace,
    writer: testWriter(world),
    callbackUrlFault: () => null,
    rateLockSeconds: 900,
    addressPatienceMs: settings.addressPatienceMs ?? 0,
  };
  const pages = paymentPageRoutes({
    ...links,
    openLocks: {
      currencies: world.context.currencies,
      freezeRates: world.context.freezeRates,
      max: null,
    },
    page: settings.page ?? builtPage,
    readCheckout,
    isPaused: async (chain) => (await findPausedChains()).has(chain),
    findAddressing,
  });
  const api = apiServer(
    [
      ...pages,
      ...events.routes,
      ...depositPayerRoutes({ db }),
      embedScriptRoute(),
      ...paymentLinkRoutes({
        ...links,
        random: systemRandom,
        baseUrl: "http://localhost:8080",
        findWallet: links.writer.readFacts,
      }),
      ...paymentLinkPageRoutes({
        ...links,
        page: settings.page ?? builtPage,
        baseUrl: "http://localhost:8080",
        isSandbox: false,
      }),
      storeImageRoute((digest) => readStoreImageContent(db, digest)),
    ],
    { clock },
  );
  api.server.addHook("preClose", (done) => {
    events.close();
    done();
  });
  const send: PaymentPages["post"] = async (path, body, headers = {}) => {
    const payload = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
    const answer = await api.server.inject({
      method: "POST",
      url: path,
      payload,
      headers: { "content-type": "application/json", ...headers },
    });
    return pageAnswer(answer);
  };
  const get: PaymentPages["get"] = async (path, headers = {}) =>
    pageAnswer(await api.server.inject({ method: "GET", url: path, headers }));
  return {
    api,
    get,
    post: send,
    stateOf: async ({ paymentPageId }) => {
      const { status, state, text } = await get(`/pay/${paymentPageId}/state/`);
      if (status !== 200) throw new Error(`${status} ${text}`);
      return state;
    },
    watching,
    openStreams: events.openStreams,
    closeStreams: events.close,
  };
}

function pageAnswer(answer: {
  readonly statusCode: number;
  readonly headers: object;
  readonly body: string;
}): PageAnswer {
  const headers = answer.headers as Record<string, string | undefined>;
  const isJson = headers["content-type"]?.includes("json") === true;
  const document = (isJson ? JSON.parse(answer.body) : {}) as Record<string, unknown>;
  return {
    status: answer.statusCode,
    headers,
    text: answer.body,
    state: document as CheckoutState,
    errors: (document["errors"] ?? []) as readonly SeenError[],
  };
}

/** `409 currency_chosen /currency`. */
export function outcomeOf({ status, errors }: PageAnswer): string {
  const each = errors.map(({ code, source }) => [code, ...Object.values(source ?? {})].join(" "));
  return [String(status), ...each].join(" ");
}

export type SeenEvent = { readonly id: string; readonly state: CheckoutState };

export type PageStream = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly events: readonly SeenEvent[];
  /** The raw text received, including comments. */
  readonly text: () => string;
  readonly isEnded: () => boolean;
  readonly close: () => void;
};

/** Listens to a page's events like a browser. The server must be listening. */
export function openStream(
  { api }: Pick<PaymentPages, "api">,
  pageId: string,
  lastEventId: string | null = null,
): Promise<PageStream> {
  const { port } = api.server.server.address() as AddressInfo;
  const headers = lastEventId === null ? {} : { "last-event-id": lastEventId };
  return streamFrom(`http://127.0.0.1:${port}/pay/${pageId}/events`, headers);
}

function streamFrom(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageStream> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { headers, agent: false }, (answer) => {
      const events: SeenEvent[] = [];
      let text = "";
      let read = 0;
      let isEnded = false;
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
        for (let end = text.indexOf("\n\n", read); end !== -1; end = text.indexOf("\n\n", read)) {
          const event = eventOf(text.slice(read, end));
          if (event !== null) events.push(event);
          read = end + 2;
        }
      });
      answer.on("close", () => {
        isEnded = true;
      });
      answer.on("error", () => undefined);
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        events,
        text: () => text,
        isEnded: () => isEnded,
        close: () => {
          sent.destroy();
        },
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

function eventOf(block: string): SeenEvent | null {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 1).trim()] as const;
    }),
  );
  const data = fields.get("data");
  return data === undefined
    ? null
    : { id: fields.get("id") ?? "", state: JSON.parse(data) as CheckoutState };
}
