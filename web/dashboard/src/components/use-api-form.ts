import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import type { Problem } from "../api/problem.ts";
import { fieldOfPointer, splitErrors } from "./split-errors.ts";
import { useAction } from "./use-action.ts";

export type ApiForm<Values extends Record<string, unknown>, Result> = {
  /** Mantine's form: `{...form.getInputProps("amount")}`. */
  readonly form: UseFormReturnType<Values>;
  /** For `<form onSubmit>`: validates, sends, and assigns the service's errors to the fields they name. */
  readonly submit: (event?: React.SyntheticEvent<HTMLFormElement>) => void;
  readonly isSending: boolean;
  /** The form-level error; show it above the buttons. */
  readonly problem: Problem | null;
  readonly result: Result | null;
};

/**
 * A form validated by the service: errors whose JSON pointer names a field (`/data/attributes/amount`,
 * `/data/relationships/wallet`) appear at the field of that name. `fieldOf` maps other pointers; null leaves the error at form level.
 * The first field with an error gets the focus, because the button that was pressed can be far below it.
 */
export function useApiForm<Values extends Record<string, unknown>, Result>({
  send,
  onDone,
  fieldOf = fieldOfPointer,
  ...input
}: UseFormInput<Values> & {
  readonly send: (values: Values) => Promise<Result>;
  readonly onDone?: (result: Result, values: Values) => void;
  readonly fieldOf?: (pointer: string) => string | null;
}): ApiForm<Values, Result> {
  const form = useForm<Values>(input);
  const element = useRef<HTMLFormElement>(null);
  const refuse = (errors: Readonly<Record<string, ReactNode>>): void => {
    // The fields must be marked before the first of them can be found.
    flushSync(() => {
      form.setErrors(errors);
    });
    focusFirstInvalid(element.current);
  };
  const sending = useAction({
    mutationFn: send,
    meta: { isShownByForm: true },
    onSuccess: (result, values) => onDone?.(result, values),
    onError: (error) => {
      const { byField } = splitErrors(error, form.getValues(), fieldOf);
      refuse(byField);
    },
  });
  const error = sending.error;
  return {
    form,
    submit: (event) => {
      element.current = event?.currentTarget ?? null;
      form.onSubmit((values) => {
        sending.mutate(values);
      }, refuse)(event);
    },
    isSending: sending.isPending,
    problem: error === null ? null : splitErrors(error, form.getValues(), fieldOf).problem,
    result: sending.data ?? null,
  };
}

/** In the order of the page, in which people read it. Does nothing if all errors are at form level. */
function focusFirstInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
