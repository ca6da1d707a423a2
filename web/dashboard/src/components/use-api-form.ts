import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
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
  const sending = useAction({
    mutationFn: send,
    meta: { isShownByForm: true },
    onSuccess: (result, values) => onDone?.(result, values),
    onError: (error) => {
      const { byField } = splitErrors(error, form.getValues(), fieldOf);
      form.setErrors(byField);
    },
  });
  const error = sending.error;
  return {
    form,
    submit: form.onSubmit((values) => {
      sending.mutate(values);
    }),
    isSending: sending.isPending,
    problem: error === null ? null : splitErrors(error, form.getValues(), fieldOf).problem,
    result: sending.data ?? null,
  };
}
