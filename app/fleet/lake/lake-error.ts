import { QuestionError } from '../../questions/question-error.ts';

/** What is wrong with a lake, or with what is asked of it; one line for the user that names the place. */
export class LakeError extends QuestionError {}
