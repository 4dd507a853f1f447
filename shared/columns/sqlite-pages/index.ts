export { sqliteDatabase, type DatabaseTable } from './database.ts';
