/** An answer that goes on until one of the two sides ends it. */
export type StreamAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, when the head of the answer is out. */
  readonly stream: (connection: StreamConnection) => void;
};

export type StreamConnection = {
  /** What is written to a connection that has ended goes nowhere. */
  readonly write: (text: string) => void;
  readonly end: () => void;
  /** Called once, whichever side ended it; at once when it has ended already. */
  readonly onClose: (listener: () => void) => void;
};
