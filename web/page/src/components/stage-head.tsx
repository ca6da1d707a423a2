import type { RefObject, VNode } from "preact";
import type {
  CheckoutStage,
  CheckoutState,
} from "../../../../src/deposits/checkout/checkout-state.ts";
import { usePage } from "../page-context.ts";
import { stageLead, stageTitle } from "../stage-lead.ts";
import { Icon, type IconName } from "./icon.tsx";
import { TimeLeft } from "./time-left.tsx";

const icons: Readonly<Record<CheckoutStage, IconName | null>> = {
  choose: null,
  waiting: null,
  seen: "eye",
  partial: "half",
  paid: "check",
  unresolved: "scales",
  expired: "clock",
  cancelled: "stop",
};

/** Title and explanation of the stage. The title receives the focus after the payer's own action. */
export function StageHead({
  state,
  title,
}: {
  readonly state: CheckoutState;
  readonly title: RefObject<HTMLHeadingElement | null>;
}): VNode {
  const { messages } = usePage();
  const { stage } = state;
  const icon = icons[stage];
  return (
    <div class={`stage is-${stage}`}>
      {icon !== null && (
        <span class="stage-mark">
          <Icon name={icon} />
        </span>
      )}
      <div class="stage-title">
        <h1 ref={title} tabIndex={-1}>
          {stageTitle(state, messages.value)}
        </h1>
        {stage === "choose" && <TimeLeft until={state.expiresAt} />}
      </div>
      {stageLead(state, messages.value).map((sentence) => (
        <p key={sentence} class="lead">
          {sentence}
        </p>
      ))}
    </div>
  );
}
