/** A question that cannot be answered as it was asked; the message is one line and says what is expected. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
}
