import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { usePage } from "../page-context.ts";
import type { PageFailure } from "../read-initial-state.ts";

/** Shown instead of a payment that does not exist or cannot be loaded. */
export function Failure({ failure }: { readonly failure: PageFailure }): VNode {
  const { messages } = usePage();
  const { failures, failureTitles, tryAgain } = messages.value;
  useLayoutEffect(() => {
    document.title = failureTitles[failure];
  }, [failure, failureTitles]);
  return (
    <div class="failure">
      <h1>{failureTitles[failure]}</h1>
      <p class="lead">{failures[failure]}</p>
      {failure !== "not_found" && (
        <a class="button" href="">
          {tryAgain}
        </a>
      )}
    </div>
  );
}
