import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import type { Problem } from "../api/problem.ts";
import { fieldOfPointer, sortErrors } from "./sort-errors.ts";
import { useAction } from "./use-action.ts";

export type ApiForm<Values extends Record<string, unknown>, Result> = {
  /** Fields by Mantine's form: `{...form.getInputProps("amount")}`. */
  readonly form: UseFormReturnType<Values>;
  /** For `<form onSubmit>`: checks, sends, and puts what the service refuses at the fields it names. */
  readonly submit: (event?: React.SyntheticEvent<HTMLFormElement>) => void;
  readonly isSending: boolean;
  /** What is wrong and belongs to no field; show it above the buttons. */
  readonly problem: Problem | null;
  readonly result: Result | null;
};

/**
 * A form that the service judges: `send` asks it, and errors whose JSON pointer names a field (`/data/attributes/amount`,
 * `/data/relationships/wallet`) appear at the field of that name. `fieldOf` maps pointers of a form's own shape; null leaves the
 * error above the form.
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
      const { byField } = sortErrors(error, form.getValues(), fieldOf);
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
    problem: error === null ? null : sortErrors(error, form.getValues(), fieldOf).problem,
    result: sending.data ?? null,
  };
}
