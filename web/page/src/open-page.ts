import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type {
  CheckoutPayment,
  CheckoutState,
} from "../../../src/deposits/checkout/checkout-state.ts";
import { type Accepted, acceptState } from "./accept-state.ts";
import { type Answer, openServer, type Refusal } from "./call-server.ts";
import { type Asked, type Connection, StateFollower } from "./follow-state.ts";
import { isFinal } from "./is-final.ts";
import { type LanguageCode, loadMessages } from "./languages/choose-language.ts";
import type { Messages } from "./languages/messages.ts";
import type { PageFailure, Start } from "./read-start.ts";
import { recall, remember } from "./remember.ts";
import { clockOffsetMs, closerOffsetMs, remainingMs } from "./server-clock.ts";
import { findWallets, type Wallet } from "./wallets/find-wallets.ts";
import { payWithWallet, type WalletError, WalletRefused } from "./wallets/pay-with-wallet.ts";

export type WalletProgress =
  | { readonly step: "idle"; readonly error: WalletError | null }
  | { readonly step: "pending" }
  | { readonly step: "sent"; readonly owed: string };

export type QuoteProgress = "idle" | "asking" | "failed";

/** Everything that the parts of the page read and do. */
export type Page = {
  readonly state: ReadonlySignal<CheckoutState | null>;
  /** Whether something is to be expected still. */
  readonly isFollowed: ReadonlySignal<boolean>;
  /** Whether somebody can see the page. */
  readonly isVisible: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<PageFailure | null>;
  readonly connection: ReadonlySignal<Connection>;
  readonly messages: ReadonlySignal<Messages>;
  readonly languageCode: ReadonlySignal<LanguageCode>;
  readonly speak: (code: LanguageCode) => Promise<void>;
  /** Milliseconds until an instant by the server's clock; counts down by itself where it is read. */
  readonly remaining: (instant: string | null) => number | null;
  /** Whether what was asked for stands at a price that holds no longer. */
  readonly isRateExpired: ReadonlySignal<boolean>;
  readonly choose: (currency: string) => Promise<Refusal | null>;
  readonly quoting: ReadonlySignal<QuoteProgress>;
  readonly quote: () => Promise<void>;
  readonly leaveRefundAddress: (address: string) => Promise<Refusal | null>;
  readonly wallets: ReadonlySignal<readonly Wallet[]>;
  readonly wallet: ReadonlySignal<WalletProgress>;
  readonly payWith: (wallet: Wallet) => Promise<void>;
  /** Set while the payer's own act is on its way, so that the focus follows what it brings. */
  readonly isFocusWanted: Signal<boolean>;
  /** What a screen reader is told next. */
  readonly announcement: ReadonlySignal<string>;
  readonly announce: (text: string) => void;
};

export const languageKey = "sluice-pay-language";
const tickMs = 500;

/** Builds the page's state around what the server wrote into it; `start` begins to follow the payment. */
export function openPage(
  start: Start,
  base: string,
  language: { readonly code: LanguageCode; readonly messages: Messages },
): { readonly page: Page; readonly start: () => void } {
  const server = openServer(base);
  const failure = signal(start.failure);
  const connection = signal<Connection>("live");
  const clock = openClock(start.state);
  const quoting = signal<QuoteProgress>("idle");
  const isFocusWanted = signal(false);
  const announcement = signal("");
  const accepted = signal<Accepted>({
    state: start.state,
    heardAt: start.state?.now ?? null,
    count: 0,
    isDoubtful: false,
  });
  const state = computed(() => accepted.value.state);
  const isFollowed = computed(
    () => state.value !== null && !isFinal(state.value, clock.serverMs()),
  );
  const accept = (next: CheckoutState, asked: Asked | null): void => {
    batch(() => {
      clock.set(next.now, asked?.atMs ?? null);
      accepted.value = acceptState(accepted.value, next, asked?.count ?? null);
    });
    follower.settle();
  };
  const asked = (): Asked => ({ count: accepted.value.count, atMs: Date.now() });
  const ask = async (call: () => Promise<Answer>): Promise<Refusal | null> => {
    const since = asked();
    const { state: next, refusal } = await call();
    if (next !== null) accept(next, since);
    return refusal;
  };
  const act = async (call: () => Promise<Answer>): Promise<Refusal | null> => {
    const refusal = await ask(call);
    // What is refused has mostly happened otherwise meanwhile: the page shows how things stand.
    if (refusal?.kind === "refused") void ask(server.loadState);
    return refusal;
  };
  const follower = new StateFollower({
    eventsUrl: new URL("events", base).href,
    loadState: () => ask(server.loadState),
    asked,
    onState: accept,
    onConnection: (next) => {
      connection.value = next;
    },
    onGone: () => {
      batch(() => {
        accepted.value = { ...accepted.value, state: null, isDoubtful: false };
        failure.value = "not_found";
      });
    },
    isFinal: () => !isFollowed.value,
    isDoubtful: () => accepted.value.isDoubtful,
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
    ...openLanguages(language),
    remaining: clock.remaining,
    isRateExpired,
    choose: async (currency) => {
      isFocusWanted.value = true;
      const refusal = await act(() => server.choose(currency));
      if (refusal !== null) isFocusWanted.value = false;
      return refusal;
    },
    quote: async () => {
      if (quoting.value === "asking") return;
      quoting.value = "asking";
      quoting.value = (await act(server.quote)) === null ? "idle" : "failed";
    },
    leaveRefundAddress: (address) => act(() => server.leaveRefundAddress(address)),
    ...openWallets(state, isRateExpired),
  };
  return {
    page,
    start: () => {
      if (start.state !== null) {
        follower.start();
        effect(() => {
          if (!isFollowed.value) follower.rest();
        });
      }
      if (start.retryAfterSeconds !== null) reloadAfter(start.retryAfterSeconds);
    },
  };
}

/** Spread over some seconds: many pages behind one address were refused at once. */
function reloadAfter(seconds: number): void {
  const spreadMs = Math.random() * Math.min(5, seconds) * 1_000;
  setTimeout(
    () => {
      location.reload();
    },
    seconds * 1_000 + spreadMs,
  );
}

function openClock(start: CheckoutState | null): {
  readonly set: (serverNow: string, askedMs: number | null) => void;
  readonly remaining: (instant: string | null) => number | null;
  /** What the server's clock shows now; goes on by itself where it is read. */
  readonly serverMs: () => number;
} {
  const offset = signal(start === null ? 0 : clockOffsetMs(start.now, Date.now()));
  const now = signal(Date.now());
  setInterval(() => {
    if (document.visibilityState === "visible") now.value = Date.now();
  }, tickMs);
  return {
    set: (serverNow, askedMs) => {
      batch(() => {
        now.value = Date.now();
        offset.value = closerOffsetMs(offset.peek(), serverNow, askedMs, now.value);
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

function openLanguages(language: {
  readonly code: LanguageCode;
  readonly messages: Messages;
}): Pick<Page, "messages" | "languageCode" | "speak"> {
  const messages = signal(language.messages);
  const languageCode = signal(language.code);
  let wanted = language.code;
  return {
    messages,
    languageCode,
    speak: async (code) => {
      wanted = code;
      const loaded = await loadMessages(code, navigator.languages);
      // Another one was asked for meanwhile.
      if (wanted !== code) return;
      batch(() => {
        messages.value = loaded;
        languageCode.value = code;
      });
      remember(() => localStorage, languageKey, code);
    },
  };
}

/** What is owed, as one text: a wallet that has sent this once is not asked to send it again, also after a reload. */
function owedOf({ address, evm }: CheckoutPayment): string {
  return `${address} ${evm?.units ?? ""}`;
}

function openWallets(
  state: ReadonlySignal<CheckoutState | null>,
  isRateExpired: ReadonlySignal<boolean>,
): Pick<Page, "wallets" | "wallet" | "payWith"> {
  const key = `sluice-pay-sent-${state.value?.id ?? ""}`;
  const kept = recall(() => sessionStorage, key);
  const progress = signal<WalletProgress>(
    kept === null ? { step: "idle", error: null } : { step: "sent", owed: kept },
  );
  const owed = computed(() => {
    const payment = state.value?.payment ?? null;
    return payment === null ? null : owedOf(payment);
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
      const asked = owed.value;
      if (payment === null || asked === null || wallet.value.step !== "idle") return;
      progress.value = { step: "pending" };
      try {
        const isStillOwed = () => owed.value === asked && !isRateExpired.value;
        await payWithWallet(provider, payment, isStillOwed);
        progress.value = { step: "sent", owed: asked };
        remember(() => sessionStorage, key, asked);
      } catch (error) {
        // What a wallet answers wrongly (no number for a chain) is its failure, too, and must not leave the button waiting.
        const reason = error instanceof WalletRefused ? error.reason : "failed";
        progress.value = { step: "idle", error: reason };
      }
    },
  };
}
