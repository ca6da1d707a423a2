import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { LinkPageState } from "../../../../src/deposits/links/link-page-state.ts";
import { formatPrice } from "../format-amount.ts";
import type { Messages } from "../languages/messages.ts";
import { startPayment } from "./start-payment.ts";
import type { LinkWords } from "./words.ts";

type Texts = { readonly messages: Messages; readonly words: LinkWords };

/** What the link offers, and the form that starts a payment. */
export function LinkCard({
  state,
  messages,
  words,
}: { readonly state: LinkPageState } & Texts): VNode {
  const { name, description, image, shop, brand, helpEmail, left } = state;
  const isActive = state.state === "active";
  document.title = `${name} · ${shop ?? messages.payment}`;
  return (
    <div class="page">
      {state.isSandbox && <p class="sandbox">{messages.sandbox}</p>}
      <main class="card">
        <header class="masthead">
          <p class="shop">
            {brand.logo !== null && <img class="logo" src={brand.logo} alt="" />}
            {shop ?? messages.payment}
          </p>
        </header>
        {image !== null && <img class="offer" src={image} alt="" />}
        <div class="stage">
          <h1>{name}</h1>
          {description !== null && <p class="lead description">{description}</p>}
          {isActive && left !== null && <p class="hint">{words.left(left)}</p>}
        </div>
        {state.state === "active" ? (
          <StartForm state={state} messages={messages} words={words} />
        ) : (
          <div class="failure">
            <h2>{words.closed[state.state]}</h2>
            <p class="lead">{words.closedLead}</p>
          </div>
        )}
      </main>
      <footer class="footer">
        {helpEmail !== null && (
          <p class="help">
            <a href={`mailto:${helpEmail}`}>{messages.help(helpEmail)}</a>
          </p>
        )}
      </footer>
    </div>
  );
}

function StartForm({ state, messages, words }: { readonly state: LinkPageState } & Texts): VNode {
  const [amount, setAmount] = useState("");
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isWorking) return;
    setWorking(true);
    setProblem(null);
    const answer = await startPayment(state.amountType === "chosen" ? amount : null);
    if (answer.kind === "started") {
      location.assign(answer.path);
      return;
    }
    setWorking(false);
    if (answer.kind === "ended") location.reload();
    else if (answer.kind === "amount") setProblem(words.badAmount);
    else setProblem(answer.kind === "throttled" ? messages.refused.throttled : words.failed);
  };
  return (
    <form class="start" noValidate onSubmit={(event) => void submit(event)}>
      <Amount
        state={state}
        locale={messages.locale}
        words={words}
        value={amount}
        onInput={setAmount}
        isWrong={problem !== null && state.amountType === "chosen"}
      />
      {problem !== null && (
        <p class="error" id="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button" aria-disabled={isWorking}>
        {isWorking ? words.working : words.submit}
      </button>
    </form>
  );
}

function Amount({
  state: { amountType, amount, amountMin, amountMax, currency },
  locale,
  words,
  value,
  onInput,
  isWrong,
}: {
  readonly state: LinkPageState;
  readonly locale: string;
  readonly words: LinkWords;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly isWrong: boolean;
}): VNode {
  const price = (text: string) => formatPrice(text, currency.code, currency.precision, locale);
  if (amountType === "open") return <p class="lead">{words.anyAmount}</p>;
  if (amountType === "fixed")
    return (
      <p class="offer-price">
        <bdi class="digits">{price(amount ?? "0")}</bdi>
      </p>
    );
  const bounds =
    amountMin !== null && amountMax !== null
      ? words.between(price(amountMin), price(amountMax))
      : amountMin !== null
        ? words.atLeast(price(amountMin))
        : amountMax === null
          ? null
          : words.atMost(price(amountMax));
  return (
    <p class="amount-field">
      <label for="amount">
        {words.amount} ({currency.code})
      </label>
      <input
        id="amount"
        inputMode="decimal"
        autocomplete="off"
        value={value}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "problem bounds" : "bounds"}
        onInput={({ currentTarget }) => {
          onInput(currentTarget.value);
        }}
      />
      <span class="hint" id="bounds">
        {bounds}
      </span>
    </p>
  );
}
