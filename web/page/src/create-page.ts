import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type {
  CheckoutPayment,
  CheckoutState,
} from "../../../src/deposits/checkout/checkout-state.ts";
import { type Accepted, acceptState } from "./accept-state.ts";
import { readStored, writeStored } from "./browser-storage.ts";
import { isFinal } from "./is-final.ts";
import { languageKey } from "./language-key.ts";
import type { LanguageCode } from "./languages/language-codes.ts";
import { loadMessages } from "./languages/load-messages.ts";
import type { Messages } from "./languages/messages.ts";
import type { InitialState, PageFailure } from "./read-initial-state.ts";
import { type Answer, createServerClient, type Refusal } from "./server-client.ts";
import { clockOffsetMs, refineOffsetMs, remainingMs } from "./server-clock.ts";
import { type Connection, type RequestMark, StateFollower } from "./state-follower.ts";
import { findWallets, type Wallet } from "./wallets/find-wallets.ts";
import type { WalletError, WalletRefused } from "./wallets/pay-with-wallet.ts";

export type WalletProgress =
  | { readonly step: "idle"; readonly error: WalletError | null }
  | { readonly step: "pending" }
  | { readonly step: "sent"; readonly owed: string };

export type QuoteProgress = "idle" | "loading" | "failed";

/** State and actions shared by the components of the page. */
export type Page = {
  readonly state: ReadonlySignal<CheckoutState | null>;
  /** Whether the state can still change. */
  readonly isFollowed: ReadonlySignal<boolean>;
  /** Whether the browser tab is visible. */
  readonly isVisible: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<PageFailure | null>;
  readonly connection: ReadonlySignal<Connection>;
  readonly messages: ReadonlySignal<Messages>;
  readonly languageCode: ReadonlySignal<LanguageCode>;
  readonly setLanguage: (code: LanguageCode) => Promise<void>;
  /** Milliseconds until an instant by the server's clock. Components that read it update as it counts down. */
  readonly remaining: (instant: string | null) => number | null;
  readonly isRateExpired: ReadonlySignal<boolean>;
  readonly choose: (currency: string) => Promise<Refusal | null>;
  readonly quoting: ReadonlySignal<QuoteProgress>;
  readonly quote: () => Promise<void>;
  readonly saveRefundAddress: (address: string, tag: string | null) => Promise<Refusal | null>;
  readonly wallets: ReadonlySignal<readonly Wallet[]>;
  readonly wallet: ReadonlySignal<WalletProgress>;
  readonly payWith: (wallet: Wallet) => Promise<void>;
  /** True while a request of the payer is in progress: the focus moves to the heading of the resulting stage. */
  readonly isFocusWanted: Signal<boolean>;
  /** Text of the live region for screen readers. */
  readonly announcement: ReadonlySignal<string>;
  readonly announce: (text: string) => void;
};

const tickMs = 500;

/** Creates the page's state from the data in the HTML; `start` begins to follow the payment. */
export function createPage(
  initial: InitialState,
  base: string,
  language: { readonly code: LanguageCode; readonly messages: Messages },
): { readonly page: Page; readonly start: () => void } {
  const server = createServerClient(base);
  const failure = signal(initial.failure);
  const connection = signal<Connection>("live");
  const clock = createClock(initial.state);
  const quoting = signal<QuoteProgress>("idle");
  const isFocusWanted = signal(false);
  const announcement = signal("");
  const accepted = signal<Accepted>({
    state: initial.state,
    serverNow: initial.state?.now ?? null,
    count: 0,
    needsReload: false,
  });
  const state = computed(() => accepted.value.state);
  const isFollowed = computed(
    () => state.value !== null && !isFinal(state.value, clock.serverMs()),
  );
  const accept = (next: CheckoutState, mark: RequestMark | null): void => {
    batch(() => {
      clock.set(next.now, mark?.atMs ?? null);
      accepted.value = acceptState(accepted.value, next, mark?.count ?? null);
    });
    follower.reloadIfNeeded();
  };
  const markRequest = (): RequestMark => ({ count: accepted.value.count, atMs: Date.now() });
  const request = async (call: () => Promise<Answer>): Promise<Refusal | null> => {
    const mark = markRequest();
    const { state: next, refusal } = await call();
    if (next !== null) accept(next, mark);
    return refusal;
  };
  const act = async (call: () => Promise<Answer>): Promise<Refusal | null> => {
    const refusal = await request(call);
    // Most rejected actions were overtaken by a change of the payment, so the page loads the current state.
    if (refusal?.kind === "refused") void request(server.loadState);
    return refusal;
  };
  const follower = new StateFollower({
    eventsUrl: new URL("events", base).href,
    loadState: () => request(server.loadState),
    markRequest,
    onState: accept,
    onConnection: (next) => {
      connection.value = next;
    },
    onGone: () => {
      batch(() => {
        accepted.value = { ...accepted.value, state: null, needsReload: false };
        failure.value = "not_found";
      });
    },
    isFinal: () => !isFollowed.value,
    needsReload: () => accepted.value.needsReload,
  });
  const isRateExpired = computed(() => {
    const rate = state.value?.payment?.rate ?? null;
    return rate !== null && (rate.isExpired || clock.remaining(rate.expiresAt) === 0);
  });
  const page: Page = {
    state,
    isFollowed,
    isVisible: watchVisibility(),
    failure,
    connection,
    quoting,
    isFocusWanted,
    announcement,
    announce: (text) => {
      announcement.value = text;
    },
    ...createLanguage(language),
    remaining: clock.remaining,
    isRateExpired,
    choose: async (currency) => {
      isFocusWanted.value = true;
      const refusal = await act(() => server.choose(currency));
      if (refusal !== null) isFocusWanted.value = false;
      return refusal;
    },
    quote: async () => {
      if (quoting.value === "loading") return;
      quoting.value = "loading";
      quoting.value = (await act(server.quote)) === null ? "idle" : "failed";
    },
    saveRefundAddress: (address, tag) => act(() => server.saveRefundAddress(address, tag)),
    ...createWallets(state, isRateExpired),
  };
  return {
    page,
    start: () => {
      if (window.parent !== window) void tellEmbedding(state);
      if (initial.state !== null) {
        follower.start();
        effect(() => {
          if (!isFollowed.value) follower.stop();
        });
      }
      if (initial.retryAfterSeconds !== null) reloadAfter(initial.retryAfterSeconds);
    },
  };
}

/** Loaded only in a frame. */
async function tellEmbedding(state: ReadonlySignal<CheckoutState | null>): Promise<void> {
  const { tellEmbedder } = await import("./tell-embedder.ts");
  const { tell } = tellEmbedder(window, state.peek());
  effect(() => {
    if (state.value !== null) tell(state.value);
  });
}

/** Adds up to five random seconds, because many pages behind one address are throttled at the same time. */
function reloadAfter(seconds: number): void {
  const spreadMs = Math.random() * Math.min(5, seconds) * 1_000;
  setTimeout(
    () => {
      location.reload();
    },
    seconds * 1_000 + spreadMs,
  );
}

function createClock(initial: CheckoutState | null): {
  readonly set: (serverNow: string, requestedMs: number | null) => void;
  readonly remaining: (instant: string | null) => number | null;
  /** The server's current time. Components that read it update with each tick. */
  readonly serverMs: () => number;
} {
  const offset = signal(initial === null ? 0 : clockOffsetMs(initial.now, Date.now()));
  const now = signal(Date.now());
  setInterval(() => {
    if (document.visibilityState === "visible") now.value = Date.now();
  }, tickMs);
  return {
    set: (serverNow, requestedMs) => {
      batch(() => {
        now.value = Date.now();
        offset.value = refineOffsetMs(offset.peek(), serverNow, requestedMs, now.value);
      });
    },
    remaining: (instant) =>
      instant === null ? null : remainingMs(instant, now.value, offset.value),
    serverMs: () => now.value + offset.value,
  };
}

function watchVisibility(): ReadonlySignal<boolean> {
  const isVisible = signal(document.visibilityState === "visible");
  document.addEventListener("visibilitychange", () => {
    isVisible.value = document.visibilityState === "visible";
  });
  return isVisible;
}

function createLanguage(language: {
  readonly code: LanguageCode;
  readonly messages: Messages;
}): Pick<Page, "messages" | "languageCode" | "setLanguage"> {
  const messages = signal(language.messages);
  const languageCode = signal(language.code);
  let selected = language.code;
  return {
    messages,
    languageCode,
    setLanguage: async (code) => {
      selected = code;
      const loaded = await loadMessages(code, navigator.languages);
      // The reader selected another language while this one was loading.
      if (selected !== code) return;
      batch(() => {
        messages.value = loaded;
        languageCode.value = code;
      });
      writeStored(() => localStorage, languageKey, code);
    },
  };
}

/** Identifies what is owed: after a wallet sent it, the page does not offer to send it again, even after a reload. */
function describeOwed({ address, evm }: CheckoutPayment): string {
  return `${address} ${evm?.units ?? ""}`;
}

function createWallets(
  state: ReadonlySignal<CheckoutState | null>,
  isRateExpired: ReadonlySignal<boolean>,
): Pick<Page, "wallets" | "wallet" | "payWith"> {
  const key = `sluice-pay-sent-${state.value?.id ?? ""}`;
  const sentBefore = readStored(() => sessionStorage, key);
  const progress = signal<WalletProgress>(
    sentBefore === null ? { step: "idle", error: null } : { step: "sent", owed: sentBefore },
  );
  const owed = computed(() => {
    const payment = state.value?.payment ?? null;
    return payment === null ? null : describeOwed(payment);
  });
  const wallet = computed<WalletProgress>(() =>
    progress.value.step === "sent" && progress.value.owed !== owed.value
      ? { step: "idle", error: null }
      : progress.value,
  );
  return {
    wallets: findWallets(),
    wallet,
    payWith: async ({ provider }) => {
      const payment = state.value?.payment ?? null;
      const requested = owed.value;
      if (payment === null || requested === null || wallet.value.step !== "idle") return;
      progress.value = { step: "pending" };
      try {
        const isStillOwed = () => owed.value === requested && !isRateExpired.value;
        // Most payers have no wallet in their browser, so what asks one is fetched with the first click.
        const { payWithWallet } = await import("./wallets/pay-with-wallet.ts");
        await payWithWallet(provider, payment, isStillOwed);
        progress.value = { step: "sent", owed: requested };
        writeStored(() => sessionStorage, key, requested);
      } catch (error) {
        // A malformed response, such as a chain id that is not a number, must not leave the button pending; neither must a lost connection.
        const { reason = "failed" } = error as Partial<WalletRefused>;
        progress.value = { step: "idle", error: reason };
      }
    },
  };
}
