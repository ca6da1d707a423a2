import type { VNode } from "preact";
import type { Messages } from "../languages/messages.ts";
import type { PageFailure } from "../read-initial-state.ts";
import type { LinkWords } from "./words.ts";

/** Shown instead of a link that does not exist or cannot be loaded. */
export function LinkFailure({
  failure,
  messages,
  words,
}: {
  readonly failure: PageFailure;
  readonly messages: Messages;
  readonly words: LinkWords;
}): VNode {
  const title = failure === "not_found" ? words.notFound : messages.failureTitles[failure];
  document.title = title;
  return (
    <div class="page">
      <main class="card">
        <div class="failure">
          <h1>{title}</h1>
          <p class="lead">{messages.failures[failure]}</p>
          {failure !== "not_found" && (
            <a class="button" href="">
              {messages.tryAgain}
            </a>
          )}
        </div>
      </main>
    </div>
  );
}
